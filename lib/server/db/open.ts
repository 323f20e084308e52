import { openPostgres } from './postgres/open';
import type { Database } from './schema';
import { openSqlite } from './sqlite/open';

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
