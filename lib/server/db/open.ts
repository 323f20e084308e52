import { join } from 'node:path';
import { describeDatabase } from './postgres/failure';
import { openPostgres } from './postgres/open';
import type { Database } from './schema';
import { DATABASE_FILE, openSqlite } from './sqlite/open';

/** Where a store is: the Postgres at this URL, which may hold a password, or a data folder. */
export interface StorePlace {
  databaseUrl: { reveal(): string } | null;
  dataDir: string;
}

/**
 * Opens the store that a gateway may be using, for commands beside it: the Postgres of the configuration, else SQLite
 * in its data folder.
 * @throws DatabaseUnreachable, SchemaUnknown, or what kept SQLite from being opened.
 */
export function openStore({ databaseUrl, dataDir }: StorePlace): Promise<{ db: Database; close(): Promise<void> }> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir, { exclusive: false });
}

/** Where a store is, in words, without its password. */
export function describePlace({ databaseUrl, dataDir }: StorePlace): string {
  return databaseUrl ? describeDatabase(databaseUrl.reveal()) : join(dataDir, DATABASE_FILE);
}
