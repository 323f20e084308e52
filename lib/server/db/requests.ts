import { setTimeout as sleep } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import { backgroundTransaction } from './background-transaction';
import { ERASED } from './erase-account';
import { isPostgres } from './is-postgres';
import type { Database, Schema } from './schema';

export type RequestRow = Insertable<Schema['requests']>;

/** Maximum rows that one statement deletes. On SQLite, such a statement blocks this thread for some milliseconds. */
const STEP = 200;
/** Pause between two delete statements. */
const PAUSE_MS = 10;

/** Inserts requests. Leaves out requests of erased accounts. */
export async function insertRequests(db: Database, rows: readonly RequestRow[]): Promise<void> {
  await backgroundTransaction(db, async (transaction) => {
    const ids = await unerasedOf(transaction, [...new Set(rows.map(({ account_id: id }) => id))]);
    const values = rows.filter(({ account_id: id }) => ids.has(id));
    if (values.length > 0) await transaction.insertInto('requests').values(values).execute();
  });
}

/** Returns the given accounts without the erased ones. On Postgres, waits for a running erasure. */
export async function unerasedOf(transaction: Database, accounts: readonly number[]): Promise<ReadonlySet<number>> {
  const kept = transaction.selectFrom('accounts').select('id').where('id', 'in', accounts).where('label', '<>', ERASED);
  const rows = isPostgres(transaction) ? kept.forShare() : kept;
  return new Set((await rows.execute()).map(({ id }) => id));
}

/** Deletes an account's requests, except its newest `max` successful and newest `max` failed ones. */
export async function trimRequests(db: Database, accountId: number, max: number): Promise<void> {
  for (const failed of [0, 1]) {
    const beyond = sql`select id from requests where account_id = ${accountId} and failed = ${failed} order by at desc, id desc limit ${STEP} offset ${max}`;
    while ((await deleteThose(db, beyond)) === STEP) await sleep(PAUSE_MS);
  }
}

export async function forgetRequests(db: Database, until: number, signal?: AbortSignal): Promise<void> {
  // Ids increase roughly with time, so the oldest rows are among those with the lowest ids.
  const oldest = sql`select id from (select id, at from requests order by id limit ${STEP}) as oldest where at < ${until}`;
  while (!signal?.aborted && (await deleteThose(db, oldest)) === STEP) await sleep(PAUSE_MS);
}

async function deleteThose(db: Database, ids: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await sql`delete from requests where id in (${ids})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
