import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Maximum cached statements. A query over a list needs one statement per list length. */
const STATEMENTS_MAX = 256;
/** Longer statements come from long lists, rarely repeat, and are not cached. */
const TEXT_LENGTH_MAX = 4_096;

/**
 * Prepares each statement of a connection once, because preparing costs more than running most statements. Drops the
 * least recently used. SQLite re-prepares after schema changes. A statement must not run again while its rows are read.
 * So only one query at a time may use the connection, and must read all rows.
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
