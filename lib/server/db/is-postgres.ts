import { PostgresAdapter } from 'kysely';
import type { Database } from './schema';

/** Returns whether a database is Postgres. Otherwise it is SQLite. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
