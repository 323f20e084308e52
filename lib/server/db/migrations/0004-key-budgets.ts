import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

export async function addKeyBudgets(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  for (const column of ['limit_prepaid', 'alert_at'])
    await db.schema.alterTable('api_keys').addColumn(column, 'bigint').execute();
  for (const column of ['allow', 'webhook_url'])
    await db.schema.alterTable('api_keys').addColumn(column, 'text').execute();
  await db.schema
    .alterTable('key_spend')
    .addColumn('prepaid', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('key_alerts')
    .addColumn('id', id, (column) =>
      dialect === 'postgres' ? column.generatedAlwaysAsIdentity().primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('api_key_id', id, (column) => column.notNull().references('api_keys.id'))
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .addColumn('threshold', 'bigint', (column) => column.notNull())
    .addColumn('reached_at', 'bigint', (column) => column.notNull())
    .addColumn('webhook_url', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('delivered_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint('key_alerts_once', ['api_key_id', 'period', 'threshold'])
    .execute();
  await db.schema.createIndex('key_alerts_to_send').on('key_alerts').column('next_attempt_at').execute();
  // Drops the old function, because creating one with other arguments does not replace it.
  if (dialect === 'postgres')
    await sql`drop function if exists turnpike_key_refusal(api_keys, bigint, bigint, bigint)`.execute(db);
}
