import type { Config } from '../config/load';
import { openPostgres } from './postgres/open';
import type { Database } from './schema';
import { openSqlite } from './sqlite/open';

/**
 * Opens the store that a gateway may be using, for commands beside it: the Postgres of the configuration, else SQLite
 * in its data folder.
 * @throws DatabaseUnreachable, or what kept SQLite from being opened.
 */
export function openStore({ databaseUrl, dataDir }: Config): Promise<{ db: Database; close(): Promise<void> }> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir, { exclusive: false });
}
