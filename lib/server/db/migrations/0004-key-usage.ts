import type { Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/** What each key has spent by day of UTC, summed from the ledger, and up to when that was done. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('key_usage_days')
    .addColumn('api_key_id', id, (column) => column.notNull().references('api_keys.id'))
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('usd', 'bigint', (column) => column.notNull())
    .addColumn('diem', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_usage_days_pk', ['api_key_id', 'day'])
    .execute();
  await db.schema
    .createTable('key_usage_marks')
    .addColumn('account_id', id, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('through', 'bigint', (column) => column.notNull())
    .execute();
}
