import type { Kysely } from 'kysely';
import { COLUMN_TYPES, type StoreDialect } from './column-types';

/** Adds a column for the ADMIN key that created a key. The keys that one ADMIN key created share its limits. */
export async function addKeyMakers(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('made_by', COLUMN_TYPES[dialect].id, (column) => column.references('api_keys.id'))
    .execute();
}
