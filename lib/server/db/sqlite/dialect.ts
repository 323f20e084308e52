import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isDiskFull, storeFull } from './store-full';

/** Maximum cached statements. A query with a list needs one statement for each length of the list. */
const STATEMENTS_MAX = 256;
/** Longer statements are not cached, because they contain long lists and are rarely repeated. */
const TEXT_LENGTH_MAX = 4_096;

/**
 * Prepares each statement of a connection once, because preparing costs more than running most statements. Drops the
 * least recently used statements. After a schema change, SQLite itself prepares a statement again. Each query must read
 * all its rows before the next query runs, because a running statement must not start again.
 */
export function withStatementCache(connection: DatabaseSync, statementsMax = STATEMENTS_MAX): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      const statement = known ?? adapted(connection.prepare(text));
      if (text.length > TEXT_LENGTH_MAX) return statement;
      if (known) statements.delete(text);
      else if (statements.size >= statementsMax) statements.delete(statements.keys().next().value as string);
      statements.set(text, statement);
      return statement;
    },
    close() {
      statements.clear();
      connection.close();
    },
  };
}

function adapted(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

/**
 * Kysely dialect for a connection that serves one query or transaction at a time. A transaction takes the write lock at
 * its start, so that it cannot fail later because another connection has the lock. A read-only transaction sees one
 * snapshot and takes no lock.
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
 * SQLite's schema changes are transactional, although Kysely's adapter says otherwise. All migrations thus run in one
 * transaction: a failed one changes nothing, and a concurrent process waits.
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

  /** Does nothing if a full disk has already ended the transaction. */
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

function explained(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) =>
      connection.executeQuery<never>(query, options).catch((error: unknown) => {
        throw isDiskFull(error) ? storeFull(error) : error;
      }),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}
