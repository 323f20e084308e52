import type { DatabaseSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { isDiskFull, storeFull } from './store-full';
import { withStatementCache } from './statement-cache';

/**
 * Kysely dialect for a connection that serves one query or transaction at a time. A transaction takes the write lock at
 * its start, so that it does not fail half-way. A read-only transaction sees one snapshot and takes no lock.
 */
export function sqliteDialect(connection: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SerialSqliteDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite's schema changes are transactional, although Kysely's adapter says otherwise. So migrations run in one
 * transaction: a failed migration changes nothing, and a concurrent process waits.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SerialSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  #queue: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(connection: DatabaseSync) {
    super({ database: withStatementCache(connection) });
    this.#database = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const turn = this.#queue;
    let release = this.#release;
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await turn;
    this.#release = release;
    return explained(await super.acquireConnection());
  }

  override async releaseConnection(): Promise<void> {
    this.#release();
  }

  /** A full disk has already ended the transaction. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin deferred' : 'begin immediate'));
  }
}

/** Converts the error of a full disk to STORE_FULL (503). */
function explained(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) =>
      connection.executeQuery<never>(query, options).catch((error: unknown) => {
        throw isDiskFull(error) ? storeFull(error) : error;
      }),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}
