import type { Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

export async function addRequests(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('requests')
    .addColumn('id', id, (column) =>
      dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('account_id', id, (column) => column.notNull().references('accounts.id'))
    .addColumn('api_key_id', id)
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('product', 'text', (column) => column.notNull())
    .addColumn('network', 'text')
    .addColumn('method', 'text')
    .addColumn('model', 'text')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('code', 'text')
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('duration_us', 'bigint', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addColumn('cost', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute();
  // Index for listing failed requests and for deleting an account's oldest requests.
  await db.schema
    .createIndex('requests_of_account')
    .on('requests')
    .columns(['account_id', 'at', 'id', 'failed'])
    .execute();
}
