import type Sqlite from 'libsql';
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
 * Kysely on one libsql connection. Transactions take the write lock when they begin, so none fails half-way
 * because another process wrote first; those declared read only take none, and see one snapshot. Only one piece of
 * work holds the connection at a time, and statements are prepared once.
 */
export function sqliteDialect(connection: Sqlite.Database): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SerialSqliteDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite's schema changes are transactional, which Kysely's adapter denies. Migrations so run in one transaction: a
 * failed one leaves nothing, and of two processes that migrate at once one waits and finds it done.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SerialSqliteDriver extends SqliteDriver {
  readonly #database: Sqlite.Database;
  #queue: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(connection: Sqlite.Database) {
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

  /** A full disk has ended the transaction already. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin deferred' : 'begin immediate'));
  }
}

/** The connection, of which a write that finds no room is STORE_FULL (503) for whoever asked, and no fault of the gateway. */
function explained(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) =>
      connection.executeQuery<never>(query, options).catch((error: unknown) => {
        throw isDiskFull(error) ? storeFull(error) : error;
      }),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}
