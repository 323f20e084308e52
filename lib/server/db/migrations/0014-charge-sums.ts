import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/**
 * Adds daily sums of charges by account, key and resource, and daily totals of all accounts. Fills both from the
 * ledger, and drops the old daily sums by key. From now on each charge updates the new sums: by a trigger of
 * `createFunctions` on Postgres, in code on SQLite. Also adds `ledger_proofs` for `ledger check`, and an index of all
 * ledger rows except charges.
 */
export async function addChargeSums(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  const isPostgres = dialect === 'postgres';
  // Leaves room on each page, so that most new row versions fit beside the old ones.
  const storage = isPostgres ? sql`with (fillfactor = 70)` : sql`without rowid`;
  await db.schema
    .createTable('charge_days')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('account_id', id, (column) => column.notNull())
    .addColumn('api_key_id', id, (column) => column.notNull())
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addColumn('diem', 'bigint', (column) => column.notNull())
    .addColumn('bundled', 'bigint', (column) => column.notNull())
    .addColumn('usd', 'bigint', (column) => column.notNull())
    .addColumn('x402', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    // The key begins with the day, so that the charges of a day write few pages.
    .addPrimaryKeyConstraint('charge_days_pk', ['day', 'account_id', 'api_key_id', 'resource'])
    .modifyEnd(storage)
    .execute();
  await db.schema.createIndex('charge_days_by_account').on('charge_days').columns(['account_id', 'day']).execute();
  await db.schema
    .createTable('ledger_days')
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('writer', 'integer', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addColumn('charged', 'bigint', (column) => column.notNull())
    .addColumn('paid_in', 'bigint', (column) => column.notNull())
    .addColumn('withdrawn', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('ledger_days_pk', ['day', 'writer'])
    .modifyEnd(storage)
    .execute();
  await db.schema
    .createTable('ledger_proofs')
    .addColumn('account_id', id, (column) => column.primaryKey())
    .addColumn('through_id', id, (column) => column.notNull())
    .addColumn('diem', 'bigint', (column) => column.notNull())
    .addColumn('bundled', 'bigint', (column) => column.notNull())
    .addColumn('usd', 'bigint', (column) => column.notNull())
    .addColumn('x402', 'bigint', (column) => column.notNull())
    .execute();
  await sql`create index ledger_of_movements on ledger (kind, request_id) where kind <> 'CHARGE'`.execute(db);
  if (isPostgres) {
    await sql`lock table ledger in share row exclusive mode`.execute(db);
    // `turnpike_settle` now writes the rows that the dropped function wrote.
    await sql`drop function if exists turnpike_charge(turnpike_call, text, bigint, bigint, bigint)`.execute(db);
  }
  await fillChargeSums(db);
  await db.schema.dropTable('key_usage_days').execute();
  await db.schema.dropTable('key_usage_marks').execute();
}

export async function fillChargeSums(db: QueryExecutorProvider): Promise<void> {
  for (const statement of FILL) await sql.raw(statement).execute(db);
}

const MOVEMENTS = "('TOP_UP', 'WITHDRAWAL', 'REVERSAL')";
const ofPot = (pot: string): string => `sum(case when pot = '${pot}' then -amount else 0 end) as ${pot}`;

/** Sums charges and movements. Rows with the same request id and time count as one call. */
const FILL = [
  `insert into charge_days (day, account_id, api_key_id, resource, calls, units, diem, bundled, usd, x402, last_at)
   select created_at / 86400000, account_id, api_key_id, resource, sum(calls), sum(units), sum(diem), sum(bundled), sum(usd), sum(x402), max(created_at)
     from (select created_at, account_id, coalesce(api_key_id, 0) as api_key_id, resource, max(calls) as calls, max(units) as units,
                  ${['diem', 'bundled', 'usd', 'x402'].map(ofPot).join(', ')}
             from ledger where kind = 'CHARGE' group by account_id, request_id, created_at, api_key_id, resource) as calls
    group by created_at / 86400000, account_id, api_key_id, resource`,
  `insert into ledger_days (day, writer, calls, charged, paid_in, withdrawn)
   select day, 0, sum(calls), sum(charged), sum(paid_in), sum(withdrawn) from (
     select day, calls, diem + bundled + usd + x402 as charged, 0 as paid_in, 0 as withdrawn from charge_days
     union all
     select created_at / 86400000, 0, 0, case when kind = 'TOP_UP' then amount else 0 end, case when kind = 'TOP_UP' then 0 else -amount end
       from ledger where kind in ${MOVEMENTS}
   ) as sums group by day`,
];
