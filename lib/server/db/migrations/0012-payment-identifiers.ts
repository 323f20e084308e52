import type { Kysely } from 'kysely';

/** Adds the identifier that a payer may give a payment, unique per payer. */
export async function addPaymentIdentifiers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('identifier', 'text').execute();
  await db.schema
    .createIndex('payments_by_identifier')
    .unique()
    .on('payments')
    .columns(['payer', 'identifier'])
    .where('identifier' as never, 'is not', null)
    .execute();
}
