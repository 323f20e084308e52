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
import { withStatementCache } from './statement-cache';

/**
 * Kysely on one libsql connection. Transactions take the write lock when they begin, so none fails half-way
 * because another process wrote first; those declared read only take none, and see one snapshot. Only one piece of
 * work holds the connection at a time, and statements are prepared once.
 */
export function sqliteDialect(connection: Sqlite.Database): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SerialSqliteDriver({ database: withStatementCache(connection) }),
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
  #queue: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const turn = this.#queue;
    let release = this.#release;
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await turn;
    this.#release = release;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#release();
  }

  override async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings = {}): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin deferred' : 'begin immediate'));
  }
}
