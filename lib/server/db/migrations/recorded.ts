import { type QueryExecutorProvider, sql } from 'kysely';
import type { StoreDialect } from './column-types';

/** This release does not know the database's schema. The message says what to do. */
export class SchemaUnknown extends Error {
  override readonly name = 'SchemaUnknown';
}

/** Returns a database's recorded migrations in order; none for a new database. */
export async function migrationsOf(db: QueryExecutorProvider, dialect: StoreDialect): Promise<string[]> {
  const { rows } = await TABLES[dialect].execute(db);
  if (rows.length === 0) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}

const TABLES = {
  sqlite: sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`,
  postgres: sql`select 1 where to_regclass('kysely_migration') is not null`,
} as const;
