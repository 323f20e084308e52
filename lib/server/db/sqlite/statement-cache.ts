import type Sqlite from 'libsql';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** More than the gateway's own queries have texts; those of lists vary with the length of the list. */
const STATEMENTS_MAX = 256;
/** A longer text is of a long list, and seldom comes again. */
const TEXT_LENGTH_MAX = 4_096;

/**
 * A connection whose statements are prepared once for each text: preparing costs more than most of them take to run.
 * Those that were not used for longest are forgotten first. SQLite itself prepares one anew after a change of the
 * schema. Nobody may run a statement while the rows of the same one are still being read, which is so wherever one piece
 * of work at a time has the connection and reads its rows to the end.
 */
export function withStatementCache(connection: Sqlite.Database, statementsMax = STATEMENTS_MAX): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      const statement = known ?? (connection.prepare(text) as unknown as SqliteStatement);
      if (text.length > TEXT_LENGTH_MAX) return statement;
      // The last in the order of the map is the one that was used last.
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
