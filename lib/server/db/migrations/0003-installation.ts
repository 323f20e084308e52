import type { Kysely } from 'kysely';

/** Facts about the database itself, such as the profile that it belongs to: a row each. */
export async function createInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
