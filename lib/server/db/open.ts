import { join } from 'node:path';
import { describeDatabase } from './postgres/failure';
import { openPostgres } from './postgres/open';
import type { Database } from './schema';
import { DATABASE_FILE, openSqlite } from './sqlite/open';

/**
 * Location of a store: a Postgres URL, which may contain a password, or a data folder.
 *
 * The folder `db` has the schema, its migrations, and queries that work on SQLite and Postgres. A release upgrades
 * older databases and refuses newer ones. A database belongs to the profile that used it first.
 */
export interface StorePlace {
  databaseUrl: { reveal(): string } | null;
  dataDir: string;
}

/**
 * Opens a store for a command: the configured Postgres, or else SQLite in the data folder. Works while a gateway uses
 * the store.
 * @throws DatabaseUnreachable, SchemaUnknown, or SQLite's error
 */
export function openStore({ databaseUrl, dataDir }: StorePlace): Promise<{ db: Database; close(): Promise<void> }> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir, { exclusive: false });
}

export function describePlace({ databaseUrl, dataDir }: StorePlace): string {
  return databaseUrl ? describeDatabase(databaseUrl.reveal()) : join(dataDir, DATABASE_FILE);
}
