import { Kysely, PostgresDialect } from 'kysely';
import { migrate } from '../migrate';
import type { Database, Schema } from '../schema';
import { createPool } from './connection';
import { DatabaseUnreachable } from './failure';

/** A store on Postgres, which any number of gateways and commands may share. */
export interface PostgresStore {
  /** Ordinary queries. */
  db: Database;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;

/**
 * Connects to the database and migrates it as needed.
 * @param url a secret, since it may hold a password
 * @param onLost hears of connections that broke while idle.
 * @throws DatabaseUnreachable, SchemaUnknown, or the first migration's error; no connection is left open then.
 */
export async function openPostgres(url: { reveal(): string }, onLost: (error: Error) => void = () => undefined): Promise<PostgresStore> {
  const pool = createPool(url.reveal(), { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs: null, onLost });
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new DatabaseUnreachable(url.reveal(), error);
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(db, 'postgres');
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, close: () => db.destroy() };
}
