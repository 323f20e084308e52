import type { Kysely } from 'kysely';

export async function addMeasurements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('measurements')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('entry', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('measurements_of_model').on('measurements').columns(['model', 'seq']).execute();
}
