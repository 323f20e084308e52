import type Sqlite from 'libsql';

type SqlValue = string | number | null | Uint8Array;

/** Rows of one statement at most; there is a prepared statement for each number up to it. */
const ROWS_MAX = 64;

/**
 * Collects rows of one table and inserts them, in order, with one statement for up to 64: each call into the
 * database costs more than a row.
 */
export class RowWriter {
  readonly #connection: Sqlite.Database;
  readonly #insert: string;
  readonly #columns: number;
  readonly #conflict: string;
  readonly #statements = new Map<number, Sqlite.Statement>();
  #values: SqlValue[] = [];

  /**
   * @param insert the statement up to its values, as `insert into t (a, b)`
   * @param columns how many values a row has
   * @param conflict what follows the values
   */
  constructor(connection: Sqlite.Database, insert: string, columns: number, conflict = '') {
    this.#connection = connection;
    this.#insert = insert;
    this.#columns = columns;
    this.#conflict = conflict;
  }

  /** Adds a row, its values in the order of the columns. */
  add(...row: SqlValue[]): void {
    for (const value of row) this.#values.push(value);
  }

  /** Forgets what was added. */
  discard(): void {
    this.#values = [];
  }

  /** Inserts what was added. Whatever fails, nothing is kept for a later flush. */
  flush(): void {
    const values = this.#values;
    if (values.length === 0) return;
    this.#values = [];
    const chunk = ROWS_MAX * this.#columns;
    for (let start = 0; start < values.length; start += chunk) {
      const part = values.length <= chunk ? values : values.slice(start, start + chunk);
      this.#statement(part.length / this.#columns).run(part);
    }
  }

  #statement(rows: number): Sqlite.Statement {
    const known = this.#statements.get(rows);
    if (known) return known;
    const tuple = `(${Array(this.#columns).fill('?').join(', ')})`;
    const statement = this.#connection.prepare(
      `${this.#insert} values ${Array(rows).fill(tuple).join(', ')} ${this.#conflict}`,
    );
    this.#statements.set(rows, statement);
    return statement;
  }
}
