import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';
import { createPostgresMetering } from './postgres/create-metering';

/**
 * Accounts, keys, meters, the ledger and its usage view, rolling credits, key spending, idempotency records; on
 * Postgres also reservations, and the functions of its meter.
 */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createAccounts(db, dialect);
  await createApiKeys(db, dialect);
  await createMeters(db, dialect);
  await createLedger(db, dialect);
  await createUsage(db);
  await createWindows(db, dialect);
  if (dialect === 'postgres') await createPostgresMetering(db);
}

type Column = ColumnDefinitionBuilder;

/** An id that the database gives. */
const generatedId = (dialect: StoreDialect) => (column: Column): Column =>
  dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement();

const notNull = (column: Column): Column => column.notNull();

/**
 * The account of a row that a charge writes. On Postgres the reference is not enforced: its check would lock the
 * account's row once more with every charge, and the functions that write hold that account's meter anyway.
 */
const ofAccount = (dialect: StoreDialect) => (column: Column): Column =>
  dialect === 'postgres' ? column.notNull() : column.notNull().references('accounts.id');

async function createAccounts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', COLUMN_TYPES[dialect].id, generatedId(dialect))
    .addColumn('label', 'text', notNull)
    .addColumn('tier', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute();
}

async function createApiKeys(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('api_keys')
    .addColumn('id', id, generatedId(dialect))
    .addColumn('account_id', id, (column) => column.notNull().references('accounts.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('last6', 'text', notNull)
    .addColumn('type', 'text', notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('limit_period', 'text', notNull)
    .addColumn('limit_usd', 'bigint')
    .addColumn('limit_diem', 'bigint')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').column('account_id').execute();
}

async function createMeters(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  let table = db.schema
    .createTable('meters')
    .addColumn('account_id', COLUMN_TYPES[dialect].id, (column) => column.primaryKey().references('accounts.id'));
  for (const pot of ['diem', 'bundled', 'usd', 'x402']) {
    const amount = (column: Column): Column => column.notNull().defaultTo(0);
    // Postgres has one check for all of them: it reads each anew from the catalogue with every update.
    table = table.addColumn(pot, 'bigint', (column) => (dialect === 'postgres' ? amount(column) : amount(column).check(sql`${sql.ref(pot)} >= 0`)));
  }
  await table
    .addColumn('minute_started_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('minute_requests', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createLedger(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('ledger')
    .addColumn('id', id, (column) => (dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey()))
    .addColumn('account_id', id, ofAccount(dialect))
    .addColumn('pot', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('amount', 'bigint', notNull)
    .addColumn('balance_after', 'bigint', (column) => column.notNull().check(sql`balance_after >= 0`))
    .addColumn('api_key_id', id)
    .addColumn('resource', 'text', notNull)
    .addColumn('detail', 'text', notNull)
    .addColumn('units', 'bigint', notNull)
    .addColumn('request_id', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute();
  await db.schema.createIndex('ledger_by_account').on('ledger').columns(['account_id', 'created_at', 'units']).execute();
  for (const statement of dialect === 'postgres' ? LEDGER_GUARD_POSTGRES : LEDGER_GUARD_SQLITE) await sql.raw(statement).execute(db);
}

const LEDGER_GUARD_SQLITE = ['update', 'delete'].map(
  (change) => `create trigger ledger_refuses_${change} before ${change} on ledger begin select raise(abort, 'the ledger is append-only'); end`,
);

const LEDGER_GUARD_POSTGRES = [
  `create function turnpike_refuse_ledger_change() returns trigger language plpgsql as
   $$ begin raise exception 'the ledger is append-only'; end $$`,
  ...['update', 'delete', 'truncate'].map(
    (change) => `create trigger ledger_refuses_${change} before ${change} on ledger for each statement execute function turnpike_refuse_ledger_change()`,
  ),
];

async function createUsage(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create view usage as select min(id) as id, account_id, api_key_id, resource, detail, max(units) as units,
       cast(-sum(amount) as bigint) as amount, request_id, created_at from ledger where kind = 'CHARGE'
       group by account_id, request_id, api_key_id, resource, detail, created_at`,
    )
    .execute(db);
}

async function createWindows(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, bytes } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('credit_minutes')
    .addColumn('account_id', id, ofAccount(dialect))
    .addColumn('minute', 'integer', notNull)
    .addColumn('credits', 'bigint', notNull)
    .addPrimaryKeyConstraint('credit_minutes_pk', ['account_id', 'minute'])
    .execute();
  await db.schema.createIndex('credit_minutes_by_minute').on('credit_minutes').column('minute').execute();
  await db.schema
    .createTable('key_spend')
    .addColumn('api_key_id', id, (column) => column.notNull().references('api_keys.id'))
    .addColumn('period', 'text', notNull)
    .addColumn('usd', 'bigint', notNull)
    .addColumn('diem', 'bigint', notNull)
    .addPrimaryKeyConstraint('key_spend_pk', ['api_key_id', 'period'])
    .execute();
  await db.schema
    .createTable('idempotency_records')
    .addColumn('account_id', id, ofAccount(dialect))
    .addColumn('key', 'text', notNull)
    .addColumn('fingerprint', 'text', notNull)
    .addColumn('body', bytes, notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('idempotency_records_pk', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_records_by_age').on('idempotency_records').column('created_at').execute();
}
