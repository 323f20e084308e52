import { type Kysely, sql } from 'kysely';

/** Accounts, keys, meters, the ledger and its usage view, rolling credits, key spending, idempotency records. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createApiKeys(db);
  await createMeters(db);
  await createLedger(db);
  await db.schema
    .createTable('credit_minutes')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('credit_minutes_pk', ['account_id', 'minute'])
    .execute();
  await db.schema.createIndex('credit_minutes_by_minute').on('credit_minutes').column('minute').execute();
  await db.schema
    .createTable('key_spend')
    .addColumn('api_key_id', 'integer', (column) => column.notNull().references('api_keys.id'))
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('usd', 'bigint', (column) => column.notNull())
    .addColumn('diem', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_spend_pk', ['api_key_id', 'period'])
    .execute();
  await db.schema
    .createTable('idempotency_records')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('body', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_records_pk', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_records_by_age').on('idempotency_records').column('created_at').execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('last6', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('limit_period', 'text', (column) => column.notNull())
    .addColumn('limit_usd', 'bigint')
    .addColumn('limit_diem', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').column('account_id').execute();
}

async function createMeters(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('meters')
    .addColumn('account_id', 'integer', (column) => column.primaryKey().references('accounts.id'));
  for (const pot of ['diem', 'bundled', 'usd', 'x402']) {
    table = table.addColumn(pot, 'bigint', (column) => column.notNull().defaultTo(0).check(sql`${sql.ref(pot)} >= 0`));
  }
  await table
    .addColumn('minute_started_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('minute_requests', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ledger')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('pot', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('balance_after', 'bigint', (column) => column.notNull().check(sql`balance_after >= 0`))
    .addColumn('api_key_id', 'integer')
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('ledger_by_account').on('ledger').columns(['account_id', 'id']).execute();
  for (const change of ['update', 'delete']) {
    await sql
      .raw(`create trigger ledger_refuses_${change} before ${change} on ledger begin select raise(abort, 'the ledger is append-only'); end`)
      .execute(db);
  }
  await sql
    .raw(
      `create view usage as select min(id) as id, account_id, api_key_id, resource, detail, max(units) as units,
       -sum(amount) as amount, request_id, created_at from ledger where kind = 'CHARGE'
       group by account_id, request_id, api_key_id, resource, detail, created_at`,
    )
    .execute(db);
}
