import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/**
 * Adds a record of how far the ledger is archived. Adds indexes for archiving and `ledger check`. Ordinary charges
 * update none of these indexes.
 */
export async function addLinearUpkeep(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .createTable('ledger_archive_place')
    .addColumn('through_id', COLUMN_TYPES[dialect].id, (column) => column.notNull())
    .addColumn('before_at', 'bigint', (column) => column.notNull())
    .execute();
  await sql`create index ledger_of_refunds on ledger (request_id) where kind = 'REFUND'`.execute(db);
  await sql`create index ledger_of_archives on ledger (archive_id) where archive_id is not null`.execute(db);
  await db.schema.createIndex('video_requests_by_request').on('video_requests').column('request_id').execute();
}
