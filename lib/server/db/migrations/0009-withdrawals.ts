import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/**
 * Adds withdrawals of prepaid money, and an index of prepaid grants, which withdrawals never pay out. Charges do not
 * update the index.
 */
export async function addWithdrawals(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('withdrawals')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identity', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', COLUMN_TYPES[dialect].id, (column) => column.notNull().references('accounts.id'))
    .addColumn('wallet', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('fee', 'bigint', (column) => column.notNull())
    .addColumn('payout_units', 'text', (column) => column.notNull())
    .addColumn('statement', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('balance_after', 'bigint', (column) => column.notNull())
    .addColumn('transaction_id', 'text')
    .addColumn('from_height', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('searched_to', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addColumn('waits_for', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('next_look_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('tried_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema.createIndex('withdrawals_by_state').on('withdrawals').columns(['state', 'next_look_at']).execute();
  await db.schema
    .createIndex('withdrawals_by_account')
    .on('withdrawals')
    .columns(['account_id', 'created_at'])
    .execute();
  await db.schema.createIndex('withdrawals_by_time').on('withdrawals').column('created_at').execute();
  await sql`create index ledger_of_prepaid_grants on ledger (account_id) where pot = 'x402' and kind = 'GRANT'`.execute(
    db,
  );
}
