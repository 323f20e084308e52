import { isApiError } from '@/lib/protocol/errors';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { migrate, migrateEmpty } from '../migrate';
import type { Database, Schema } from '../schema';
import { createPool } from './connection';
import { endsConnection, DatabaseUnreachable, kindOfFailure, storeUnavailable } from './failure';

export interface PostgresStore {
  db: Database;
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;

/**
 * Connects to the database, and migrates it if necessary.
 * @param url the database's URL, a secret because it may contain a password
 * @param onLost called when an idle connection broke
 * @param statementTimeoutMs timeout of statements after the migration
 * @throws DatabaseUnreachable, SchemaUnknown, or a failed migration's error; no connection stays open
 */
export async function openPostgres(
  url: { reveal(): string },
  onLost: (error: Error) => void = () => undefined,
  statementTimeoutMs: number | null = null,
  upgrades = true,
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
    await (upgrades ? migrate : migrateEmpty)(db, 'postgres');
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

/**
 * Wraps the pool for Kysely. Throws STORE_UNAVAILABLE (503) if the server is unreachable or cannot run a statement
 * now. Rethrows other errors unchanged, and closes a connection that must not be used again.
 */
function answeringPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw storeUnavailable(error);
      });
      let isUsable = true;
      const failed = (error: unknown): never => {
        isUsable &&= !endsConnection(error);
        throw error;
      };
      return new Proxy(client, {
        get: (target, name) => {
          if (name === 'release') return () => target.release(!isUsable);
          const member: unknown = Reflect.get(target, name, target);
          if (name === 'query')
            return (...args: Parameters<PostgresPoolClient['query']>) =>
              // oxlint-disable-next-line prefer-spread -- `apply` keeps `this`, which the cast hides from the rule
              explained((target.query as unknown as PostgresPoolClient['query']).apply(target, args), failed);
          return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
        },
      }) as unknown as PostgresPoolClient;
    },
  };
}

function explained<T>(answer: T, failed: (error: unknown) => never): T {
  // Only cursor queries return no promise, and the gateway has none.
  if (!(answer instanceof Promise)) return answer;
  return answer.catch(failed).catch((error: unknown) => {
    const kind = kindOfFailure(error);
    const isOurs = isApiError(error) || error instanceof TypeError || error instanceof RangeError;
    throw isOurs || kind === 'refused' || kind === 'lock' ? error : storeUnavailable(error);
  }) as T;
}
