import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';
import { LONG_CALLS } from './postgres/long-calls/long-calls';

const notNull = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

/**
 * What calls that run for long came to so far, to be charged if their process dies: on SQLite in a table of its own, on
 * Postgres with their reservations. On Postgres there are also holds, which the caps of the RPC proxy do not concern.
 */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect === 'postgres') {
    for (const statement of LONG_CALLS) await sql.raw(statement).execute(db);
    return;
  }
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('running_charges')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', id, notNull)
    .addColumn('api_key_id', id)
    .addColumn('key_hash', 'text')
    .addColumn('purse', 'text', notNull)
    .addColumn('amount', 'bigint', notNull)
    .addColumn('resource', 'text', notNull)
    .addColumn('detail', 'text', notNull)
    .execute();
}
