import type { DatabaseSync, StatementSync } from 'node:sqlite';

type SqlValue = string | number | null | Uint8Array;

/** Maximum rows per statement. Each number of rows needs its own prepared statement. */
const ROWS_MAX = 64;

/** Inserts rows of one table in order, up to 64 per statement, because a statement costs more time than a row. */
export class RowWriter {
  readonly #connection: DatabaseSync;
  readonly #insert: string;
  readonly #columns: number;
  readonly #conflict: string;
  readonly #statements = new Map<number, StatementSync>();
  #values: SqlValue[] = [];

  /**
   * @param insert start of the statement, such as `insert into t (a, b)`
   * @param columns number of values per row
   * @param conflict clause after the values
   */
  constructor(connection: DatabaseSync, insert: string, columns: number, conflict = '') {
    this.#connection = connection;
    this.#insert = insert;
    this.#columns = columns;
    this.#conflict = conflict;
  }

  add(...row: SqlValue[]): void {
    for (const value of row) this.#values.push(value);
  }

  discard(): void {
    this.#values = [];
  }

  /** Inserts the added rows. A failure discards them. */
  flush(): void {
    const values = this.#values;
    if (values.length === 0) return;
    this.#values = [];
    const chunk = ROWS_MAX * this.#columns;
    for (let start = 0; start < values.length; start += chunk) {
      const part = values.length <= chunk ? values : values.slice(start, start + chunk);
      this.#statement(part.length / this.#columns).run(...part);
    }
  }

  #statement(rows: number): StatementSync {
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
