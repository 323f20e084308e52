import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { migrate } from '../migrate';
import type { Database, Schema } from '../schema';
import { answeringPool } from './answering-pool';
import { createPool } from './connection';
import { DatabaseUnreachable } from './failure';

export interface PostgresStore {
  db: Database;
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;

/**
 * Connects to the database and migrates it if needed.
 * @param url secret, because it may hold a password
 * @param onLost called when an idle connection broke
 * @param statementTimeoutMs timeout of statements after the migration
 * @throws DatabaseUnreachable, SchemaUnknown, or the first failed migration's error; no connection is left open
 */
export async function openPostgres(
  url: { reveal(): string },
  onLost: (error: Error) => void = () => undefined,
  statementTimeoutMs: number | null = null,
): Promise<PostgresStore> {
  const pool = createPool(url.reveal(), { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs: null, onLost });
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new DatabaseUnreachable(url.reveal(), error);
  }
  const db = databaseOf(pool);
  try {
    await migrate(db, 'postgres');
  } catch (error) {
    await db.destroy();
    throw error;
  }
  if (statementTimeoutMs === null) return { db, pool, close: () => db.destroy() };
  await db.destroy();
  const timedPool = createPool(url.reveal(), { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs, onLost });
  const timed = databaseOf(timedPool);
  return { db: timed, pool: timedPool, close: () => timed.destroy() };
}

function databaseOf(pool: Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: answeringPool(pool) }) });
}
