import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

type Column = ColumnDefinitionBuilder;

const notNull = (column: Column): Column => column.notNull();
const zero = (column: Column): Column => column.notNull().defaultTo(0);

/** Payments by x402, from their verification to their credit, and the keys that submit them. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identity', 'text', (column) => column.notNull().unique())
    .addColumn('network', 'text', notNull)
    .addColumn('asset', 'text', notNull)
    .addColumn('payer', 'text', notNull)
    .addColumn('pay_to', 'text', notNull)
    .addColumn('amount_units', 'text', notNull)
    .addColumn('amount', 'bigint', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('content', 'text', notNull)
    .addColumn('transaction_id', 'text')
    .addColumn('from_height', 'bigint', notNull)
    .addColumn('expires_at', 'bigint')
    .addColumn('expires_height', 'bigint')
    .addColumn('attempts', 'integer', zero)
    .addColumn('looks', 'integer', zero)
    .addColumn('error', 'text')
    .addColumn('account_id', id, (column) => column.references('accounts.id'))
    .addColumn('balance_after', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', zero)
    .addColumn('next_look_at', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('submitted_at', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('credited_at', 'bigint')
    .execute();
  await db.schema.createIndex('payments_by_state').on('payments').columns(['state', 'next_look_at']).execute();
  await db.schema.createIndex('payments_by_payer').on('payments').columns(['payer', 'created_at']).execute();
  await db.schema
    .createTable('payment_signers')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('next_nonce', 'bigint', zero)
    .addColumn('used_at', 'bigint', zero)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', zero)
    .execute();
}
