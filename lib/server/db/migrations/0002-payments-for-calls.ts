import type { Kysely } from 'kysely';

/** Adds a column for the call that a payment pays for. Existing payments are top-ups. */
export async function addPaymentCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('call', 'text').execute();
}
