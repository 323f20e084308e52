import type { Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

export async function addReceipts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('receipts')
    .addColumn('id', id, (column) =>
      dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('account_id', id, (column) => column.notNull().references('accounts.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('payment_id', 'text')
    .addColumn('completion_id', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('enclave', 'text')
    .execute();
  await db.schema.createIndex('receipts_of_account').on('receipts').columns(['account_id', 'id']).execute();
}
