import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';
import { createPostgresAllocation } from './postgres/allocation/create-allocation';

/**
 * Wallets and their accounts; daily allocations, and which epoch (day of UTC, counted from 1970) the daily pot is of.
 * On Postgres the meter's functions know epochs now, and say what is left.
 */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('wallets')
    .addColumn('address', 'text', (column) => column.primaryKey())
    .addColumn('account_id', id, (column) => column.notNull().unique().references('accounts.id'))
    .addColumn('created_at', 'bigint', notNull)
    .execute();
  await db.schema
    .createTable('allocations')
    .addColumn('account_id', id, (column) => column.notNull().references('accounts.id'))
    .addColumn('epoch', 'integer', notNull)
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('staked', 'text', notNull)
    .addColumn('pool', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('allocations_pk', ['account_id', 'epoch'])
    .execute();
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
  await db.schema.alterTable('meters').addColumn('diem_epoch', 'integer', zero).execute();
  await db.schema.alterTable('meters').addColumn('diem_carried', 'bigint', (column) => zero(column).check(sql`diem_carried >= 0`)).execute();
  if (dialect === 'postgres') await createPostgresAllocation(db);
}

const notNull = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
