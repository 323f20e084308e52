import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from './is-postgres';
import type { Database } from './schema';
import { BUSY_TIMEOUT_MS } from './sqlite/open';
import { RESULT_CODE, resultCodeOf } from './sqlite/store-full';

const BUSY_RETRY_MS = 5;

/**
 * Runs a transaction whose loss in a power failure is acceptable. On SQLite, the commit does not wait for the disk, and
 * waiting for a lock does not block this thread.
 * @throws the error of `work`, or SQLite's error if another process holds the lock for 5 seconds
 */
export async function backgroundTransaction(
  db: Database,
  work: (transaction: Database) => Promise<void>,
): Promise<void> {
  if (isPostgres(db)) return db.transaction().execute(work);
  for (const since = performance.now(); ; await sleep(BUSY_RETRY_MS)) {
    try {
      return await db.connection().execute(async (connection) => {
        await setPragmas(connection, 'normal', 0);
        try {
          await connection.transaction().execute(work);
        } finally {
          await setPragmas(connection, 'full', BUSY_TIMEOUT_MS);
        }
      });
    } catch (error) {
      if (resultCodeOf(error) !== RESULT_CODE.busy || performance.now() - since > BUSY_TIMEOUT_MS) throw error;
    }
  }
}

async function setPragmas(db: Database, synchronous: 'normal' | 'full', busyTimeoutMs: number): Promise<void> {
  await sql.raw(`pragma synchronous = ${synchronous}`).execute(db);
  await sql.raw(`pragma busy_timeout = ${busyTimeoutMs}`).execute(db);
}
