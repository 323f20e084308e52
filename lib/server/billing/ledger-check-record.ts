import type { Database } from '../db/schema';

const NAME = 'ledger-check';

/** When the books were last checked, Unix milliseconds, and how many faults were found then. */
export interface LedgerCheckRecord {
  at: number;
  faults: number;
}

/** Notes a check of the books in the database that was checked, where every gateway on it sees it. */
export async function noteLedgerCheck(db: Database, { at, faults }: LedgerCheckRecord): Promise<void> {
  const value = `${at} ${faults}`;
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The last one; null where there was none. */
export async function lastLedgerCheck(db: Database): Promise<LedgerCheckRecord | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  const [at, faults] = (row?.value ?? '').split(' ').map(Number);
  return at === undefined || faults === undefined || !Number.isSafeInteger(at) || !Number.isSafeInteger(faults)
    ? null
    : { at, faults };
}
