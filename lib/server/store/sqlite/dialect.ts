import type Sqlite from 'libsql';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/**
 * Kysely on one libsql connection. Transactions take the write lock when they begin, so none fails half-way
 * because another process wrote first; and only one piece of work holds the connection at a time.
 */
export function sqliteDialect(connection: Sqlite.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SerialSqliteDriver({ database: connection as unknown as SqliteDatabase }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
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

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
