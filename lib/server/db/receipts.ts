import { type Insertable, type Selectable, sql } from 'kysely';
import { unerasedOf } from './requests';
import type { Database, Schema } from './schema';

export type ReceiptRow = Selectable<Schema['receipts']>;

const STEP = 500;

/**
 * Inserts a receipt, and deletes all but the account's newest `max` receipts.
 * @returns false if the account has been erased
 */
export function insertReceipt(db: Database, row: Insertable<Schema['receipts']>, max: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { account_id: accountId } = row;
    if (!(await unerasedOf(transaction, [accountId])).has(accountId)) return false;
    await transaction.insertInto('receipts').values(row).execute();
    const beyond = sql`select id from receipts where account_id = ${accountId} order by id desc limit ${STEP} offset ${max}`;
    await sql`delete from receipts where id in (${beyond})`.execute(transaction);
    return true;
  });
}

export function findReceipt(db: Database, accountId: number, requestId: string): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Adds the enclave's proof to a receipt that has none. */
export async function addEnclaveProof(db: Database, id: number, enclave: string): Promise<void> {
  await db.updateTable('receipts').set({ enclave }).where('id', '=', id).where('enclave', 'is', null).execute();
}

/** Deletes the receipts older than `until`, oldest first. */
export async function forgetReceipts(db: Database, until: number, signal?: AbortSignal): Promise<void> {
  const oldest = sql`select id from (select id, at from receipts order by id limit ${STEP}) as oldest where at < ${until}`;
  for (;;) {
    const { numAffectedRows } = await sql`delete from receipts where id in (${oldest})`.execute(db);
    if (Number(numAffectedRows ?? 0) < STEP || signal?.aborted) return;
  }
}
