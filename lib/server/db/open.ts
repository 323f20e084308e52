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
 * Opens a store for a command, even while a gateway uses it: Postgres if configured, or else SQLite.
 * @throws DatabaseUnreachable, SchemaUnknown, or SQLite's error
 */
export function openStore(
  { databaseUrl, dataDir }: StorePlace,
  { upgrades = true } = {},
): Promise<{ db: Database; close(): Promise<void> }> {
  return databaseUrl
    ? openPostgres(databaseUrl, undefined, null, upgrades)
    : openSqlite(dataDir, { exclusive: false, upgrades });
}

export function describePlace({ databaseUrl, dataDir }: StorePlace): string {
  return databaseUrl ? describeDatabase(databaseUrl.reveal()) : join(dataDir, DATABASE_FILE);
}
