import { type Kysely, sql } from 'kysely';

/**
 * Adds an index of the ledger rows of prepaid balances, so that the time to read a page does not depend on the ledger's
 * size. Charges to other balances do not update the index.
 */
export async function addPrepaidIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_of_prepaid on ledger (account_id, id) where pot = 'x402'`.execute(db);
}
