import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import postgresTables from './0001-baseline.sql';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/**
 * Creates the tables of the first release. For speed, some check constraints exist only on SQLite or only on Postgres.
 * On Postgres, `createFunctions` creates the triggers.
 */
export async function createBaseline(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createAccounts(db, dialect);
  await createApiKeys(db, dialect);
  await createMeters(db, dialect);
  await createLedger(db, dialect);
  await createWindows(db, dialect);
  await createIdempotency(db, dialect);
  await createAllocations(db, dialect);
  await createPayments(db, dialect);
  await createKeyUsage(db, dialect);
  await createVideoRequests(db, dialect);
  if (dialect === 'postgres') await sql.raw(postgresTables).execute(db);
  else await createRunningCharges(db);
}

type Column = ColumnDefinitionBuilder;

const notNull = (column: Column): Column => column.notNull();
const zero = (column: Column): Column => column.notNull().defaultTo(0);
const key = (column: Column): Column => column.primaryKey();
const ofAccount = (column: Column): Column => column.notNull().references('accounts.id');

const generatedId =
  (dialect: StoreDialect) =>
  (column: Column): Column =>
    dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement();

/**
 * Returns the account column of tables to which charges add rows. On Postgres, it has no foreign key: with one, each
 * charge would lock the account's row. The functions that write these rows lock the account's meter instead.
 */
const ofChargedAccount = (dialect: StoreDialect): ((column: Column) => Column) =>
  dialect === 'postgres' ? notNull : ofAccount;

async function createAccounts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('accounts')
    .addColumn('id', id, generatedId(dialect))
    .addColumn('label', 'text', notNull)
    .addColumn('tier', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute();
  await db.schema
    .createTable('wallets')
    .addColumn('address', 'text', key)
    .addColumn('account_id', id, (column) => ofAccount(column).unique())
    .addColumn('created_at', 'bigint', notNull)
    .execute();
}

async function createApiKeys(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('api_keys')
    .addColumn('id', id, generatedId(dialect))
    .addColumn('account_id', id, ofAccount)
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
  // On Postgres, one check constraint covers all balances, because every update reads each constraint from the
  // catalogue.
  const pot =
    (name: string) =>
    (column: Column): Column =>
      dialect === 'postgres' ? zero(column) : zero(column).check(sql`${sql.ref(name)} >= 0`);
  let table = db.schema
    .createTable('meters')
    .addColumn('account_id', COLUMN_TYPES[dialect].id, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('diem', 'bigint', pot('diem'))
    .addColumn('bundled', 'bigint', pot('bundled'))
    .addColumn('usd', 'bigint', pot('usd'))
    .addColumn('x402', 'bigint', pot('x402'))
    .addColumn('minute_started_at', 'bigint', zero)
    .addColumn('minute_requests', 'integer', zero);
  if (dialect === 'postgres') table = withHolds(table);
  table = table
    .addColumn('diem_epoch', 'integer', zero)
    .addColumn('diem_carried', 'bigint', (column) => zero(column).check(sql`diem_carried >= 0`));
  if (dialect === 'postgres') table = withSpentCredits(table);
  await table.execute();
}

type MetersTable = CreateTableBuilder<'meters', string>;

/**
 * Adds columns for sums of a caller's reservations. No reservation expires before `lease_due_at`. `credits_total`
 * covers the 24 hours up to the minute `credits_minute`. Half of each page stays free for new row versions, because
 * each call updates its meter row twice.
 */
function withHolds(table: MetersTable): MetersTable {
  return table
    .addColumn('held_diem', 'bigint', zero)
    .addColumn('held_bundled', 'bigint', zero)
    .addColumn('held_usd', 'bigint', zero)
    .addColumn('held_x402', 'bigint', zero)
    .addColumn('held_credits', 'bigint', zero)
    .addColumn('credits_minute', 'integer', zero)
    .addColumn('credits_total', 'bigint', zero)
    .addColumn('lease_due_at', 'bigint')
    .addCheckConstraint(
      'meters_not_negative',
      sql`least(diem, bundled, usd, x402, held_diem, held_bundled, held_usd, held_x402, held_credits) >= 0`,
    )
    .modifyEnd(sql`with (fillfactor = 50)`);
}

/**
 * Adds columns for the current minute's credits to the meter row, which each charge writes in any case. The credits
 * move to `credit_minutes` in the next minute, or earlier if that table is read.
 */
function withSpentCredits(table: MetersTable): MetersTable {
  return table.addColumn('spent_minute', 'integer', zero).addColumn('spent_credits', 'bigint', zero);
}

async function createLedger(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('ledger')
    // Even without AUTOINCREMENT, each row gets a new id, because the row with the highest id is never deleted.
    .addColumn('id', id, dialect === 'postgres' ? generatedId(dialect) : key)
    .addColumn('account_id', id, ofChargedAccount(dialect))
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
  await db.schema
    .createIndex('ledger_by_account')
    .on('ledger')
    .columns(['account_id', 'created_at', 'units'])
    .execute();
  if (dialect === 'sqlite') for (const statement of SQLITE_LEDGER_GUARD) await sql.raw(statement).execute(db);
  await sql.raw(USAGE).execute(db);
}

const SQLITE_LEDGER_GUARD = [
  "create trigger ledger_refuses_update before update on ledger begin select raise(abort, 'the ledger is append-only'); end",
  "create trigger ledger_refuses_delete before delete on ledger begin select raise(abort, 'the ledger is append-only'); end",
];

const USAGE = `create view usage as select min(id) as id, account_id, api_key_id, resource, detail, max(units) as units,
  cast(-sum(amount) as bigint) as amount, request_id, created_at from ledger where kind = 'CHARGE'
  group by account_id, request_id, api_key_id, resource, detail, created_at`;

async function createWindows(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('credit_minutes')
    .addColumn('account_id', id, ofChargedAccount(dialect))
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
}

/**
 * Creates a table of stored answers, and a table of each caller's totals: number and bytes of answers. Triggers update
 * the totals.
 */
async function createIdempotency(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, bytes } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('idempotency_records')
    .addColumn('account_id', id, ofChargedAccount(dialect))
    .addColumn('key', 'text', notNull)
    .addColumn('fingerprint', 'text', notNull)
    .addColumn('body', bytes, notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('is_kept', 'integer', (column) => column.notNull().defaultTo(1))
    .addPrimaryKeyConstraint('idempotency_records_pk', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_records_by_age').on('idempotency_records').column('created_at').execute();
  await db.schema
    .createTable('idempotency_sums')
    .addColumn('account_id', id, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('records', 'bigint', zero)
    .addColumn('bytes', 'bigint', zero)
    .execute();
  if (dialect === 'sqlite') for (const statement of SQLITE_SUMS) await sql.raw(statement).execute(db);
}

/** Returns SQL for the bytes that a stored answer adds to its caller's total. Answers up to 1 KiB add 0. */
const bytesOf = (row: 'old' | 'new'): string =>
  `case when length(${row}.body) > 1024 then length(${row}.body) else 0 end`;

const SQLITE_SUMS = [
  `create trigger idempotency_records_added after insert on idempotency_records begin
     insert into idempotency_sums (account_id, records, bytes) values (new.account_id, 1, ${bytesOf('new')})
       on conflict (account_id) do update set records = records + 1, bytes = bytes + excluded.bytes;
   end`,
  `create trigger idempotency_records_deleted after delete on idempotency_records begin
     update idempotency_sums set records = records - 1, bytes = bytes - ${bytesOf('old')} where account_id = old.account_id;
   end`,
  `create trigger idempotency_records_replaced after update of body on idempotency_records begin
     update idempotency_sums set bytes = bytes + ${bytesOf('new')} - ${bytesOf('old')} where account_id = new.account_id;
   end`,
];

async function createAllocations(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('allocations')
    .addColumn('account_id', COLUMN_TYPES[dialect].id, ofAccount)
    .addColumn('epoch', 'integer', notNull)
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('staked', 'text', notNull)
    .addColumn('pool', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('allocations_pk', ['account_id', 'epoch'])
    .execute();
}

async function createPayments(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('payments')
    .addColumn('id', 'text', key)
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
    .addColumn('account_id', COLUMN_TYPES[dialect].id, (column) => column.references('accounts.id'))
    .addColumn('balance_after', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', zero)
    .addColumn('next_look_at', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('submitted_at', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('credited_at', 'bigint')
    .addColumn('waits_for', 'text')
    .addColumn('searched_to', 'bigint')
    .addColumn('client', 'text')
    .addColumn('tried_at', 'bigint')
    .execute();
  await db.schema.createIndex('payments_by_state').on('payments').columns(['state', 'next_look_at']).execute();
  await db.schema.createIndex('payments_by_payer').on('payments').columns(['payer', 'created_at']).execute();
  await db.schema
    .createTable('payment_signers')
    .addColumn('key', 'text', key)
    .addColumn('next_nonce', 'bigint', zero)
    .addColumn('used_at', 'bigint', zero)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', zero)
    .execute();
}

async function createKeyUsage(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('key_usage_days')
    .addColumn('api_key_id', id, (column) => column.notNull().references('api_keys.id'))
    .addColumn('day', 'integer', notNull)
    .addColumn('usd', 'bigint', notNull)
    .addColumn('diem', 'bigint', notNull)
    .addColumn('last_used_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('key_usage_days_pk', ['api_key_id', 'day'])
    .execute();
  await db.schema
    .createTable('key_usage_marks')
    .addColumn('account_id', id, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('through', 'bigint', notNull)
    .execute();
}

async function createVideoRequests(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('video_requests')
    .addColumn('id', 'text', key)
    .addColumn('account_id', COLUMN_TYPES[dialect].id, ofAccount)
    .addColumn('model', 'text', notNull)
    .addColumn('upstream', 'text', notNull)
    .addColumn('content', 'text', notNull)
    .addColumn('price', 'bigint', notNull)
    .addColumn('request_id', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('submitted_at', 'bigint')
    .addColumn('upstream_id', 'text')
    .addColumn('expected_ms', 'bigint')
    .addColumn('media_key', 'text')
    .addColumn('media_bytes', 'bigint')
    .addColumn('error', 'text')
    .addColumn('refunded', 'bigint', zero)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', zero)
    .addColumn('next_look_at', 'bigint', notNull)
    .addColumn('looks', 'integer', zero)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('ended_at', 'bigint')
    .addColumn('execution_ms', 'bigint')
    .execute();
  await db.schema
    .createIndex('video_requests_by_state')
    .on('video_requests')
    .columns(['state', 'next_look_at'])
    .execute();
  await db.schema
    .createIndex('video_requests_by_account')
    .on('video_requests')
    .columns(['account_id', 'state'])
    .execute();
  await db.schema.createIndex('video_requests_by_model').on('video_requests').columns(['model', 'ended_at']).execute();
}

/** Creates the table of checkpoints of long calls. On Postgres, checkpoints are part of the reservations. */
async function createRunningCharges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('running_charges')
    .addColumn('request_id', 'text', key)
    .addColumn('account_id', 'integer', notNull)
    .addColumn('api_key_id', 'integer')
    .addColumn('key_hash', 'text')
    .addColumn('purse', 'text', notNull)
    .addColumn('amount', 'bigint', notNull)
    .addColumn('resource', 'text', notNull)
    .addColumn('detail', 'text', notNull)
    .addColumn('units', 'bigint', zero)
    .execute();
}
