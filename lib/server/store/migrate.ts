import { type Migration, Migrator } from 'kysely/migration';
import * as spine from './migrations/0001-spine';
import type { Database } from './schema';

/** In order; a name, once released, is never changed or removed. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-spine': spine,
};

/**
 * Brings the database to the newest schema, in one transaction.
 * @throws the first migration's error; nothing is changed then.
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('The database cannot be migrated.', { cause: error });
}
