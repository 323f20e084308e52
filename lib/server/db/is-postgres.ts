import { PostgresAdapter } from 'kysely';
import type { Database } from './schema';

export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
