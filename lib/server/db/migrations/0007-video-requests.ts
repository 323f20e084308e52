import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

const notNull = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();
const zero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0);

/** Requests for videos, from before they are charged until a while after they are deleted. */
export async function up(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id } = COLUMN_TYPES[dialect];
  await db.schema
    .createTable('video_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', id, (column) => column.notNull().references('accounts.id'))
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
  await db.schema.createIndex('video_requests_by_state').on('video_requests').columns(['state', 'next_look_at']).execute();
  await db.schema.createIndex('video_requests_by_account').on('video_requests').columns(['account_id', 'state']).execute();
  await db.schema.createIndex('video_requests_by_model').on('video_requests').columns(['model', 'ended_at']).execute();
}
