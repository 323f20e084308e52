import type { Kysely } from 'kysely';

/** Of a payment that is open: what it waits for, how far the chain was searched for it, and the client that presented it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payments').addColumn('waits_for', 'text').execute();
  await db.schema.alterTable('payments').addColumn('searched_to', 'bigint').execute();
  await db.schema.alterTable('payments').addColumn('client', 'text').execute();
}
