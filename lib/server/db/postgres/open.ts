import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { migrate } from '../migrate';
import type { Database, Schema } from '../schema';
import { answeringPool } from './answering-pool';
import { createPool } from './connection';
import { DatabaseUnreachable } from './failure';

/** A store on Postgres, which any number of gateways and commands may share. */
export interface PostgresStore {
  /** Ordinary queries. */
  db: Database;
  /** Its connections, to be counted. */
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;

/**
 * Connects to the database and migrates it as needed.
 * @param url a secret, since it may hold a password
 * @param onLost hears of connections that broke while idle.
 * @param statementTimeoutMs of every statement after the migration, for whoever must not wait for a server that hangs.
 * @throws DatabaseUnreachable, SchemaUnknown, or the first migration's error; no connection is left open then.
 */
export async function openPostgres(
  url: { reveal(): string },
  onLost: (error: Error) => void = () => undefined,
  statementTimeoutMs: number | null = null,
): Promise<PostgresStore> {
  const pool = createPool(url.reveal(), { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs: null, onLost });
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new DatabaseUnreachable(url.reveal(), error);
  }
  const db = databaseOf(pool);
  try {
    await migrate(db, 'postgres');
  } catch (error) {
    await db.destroy();
    throw error;
  }
  if (statementTimeoutMs === null) return { db, pool, close: () => db.destroy() };
  await db.destroy();
  const timedPool = createPool(url.reveal(), { connectionsMax: CONNECTIONS_MAX, statementTimeoutMs, onLost });
  const timed = databaseOf(timedPool);
  return { db: timed, pool: timedPool, close: () => timed.destroy() };
}

function databaseOf(pool: Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: answeringPool(pool) }) });
}
