import type { Kysely } from 'kysely';

/** Payments that come with a call say with which. Those that are there are top-ups. */
export async function addPaymentCalls(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('call', 'text').execute();
}
