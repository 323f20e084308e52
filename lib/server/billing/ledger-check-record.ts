import type { Database } from '../db/schema';

const NAME = 'ledger-check';

/** Time in Unix milliseconds, and number of faults. */
export interface LedgerCheckRecord {
  at: number;
  faults: number;
}

export async function noteLedgerCheck(db: Database, { at, faults }: LedgerCheckRecord): Promise<void> {
  const value = `${at} ${faults}`;
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function lastLedgerCheck(db: Database): Promise<LedgerCheckRecord | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  const [at, faults] = (row?.value ?? '').split(' ').map(Number);
  return at === undefined || faults === undefined || !Number.isSafeInteger(at) || !Number.isSafeInteger(faults)
    ? null
    : { at, faults };
}
