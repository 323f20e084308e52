import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Sqlite from 'libsql';

/** A charge as the ledger has it. Amounts are nano-USD, positive. */
export interface ChargedRow {
  accountId: number;
  pot: string;
  amount: number;
  credits: number;
  requestId: string;
  resource: string;
}

/** A database that is asked in SQL, at once. */
interface Asked {
  rows(query: string): unknown[];
  run(statement: string): void;
  close(): void;
}

/** The ledger of a gateway, read from its database beside it: a file in its data folder, or a Postgres. */
export class Books {
  readonly #database: Asked;
  readonly #onPostgres: boolean;

  constructor(dataDir: string, databaseUrl: string | null) {
    this.#onPostgres = databaseUrl !== null;
    this.#database = databaseUrl === null ? askSqlite(join(dataDir, 'turnpike.db')) : askPostgres(databaseUrl);
  }

  /** All charges, or those of one account, oldest first. */
  charges(accountId?: number): ChargedRow[] {
    const ofAccount = accountId === undefined ? '' : `and account_id = ${accountId}`;
    const rows = this.#database.rows(
      `select account_id, pot, amount, units, request_id, resource from ledger where kind = 'CHARGE' ${ofAccount} order by id`,
    ) as { account_id: number; pot: string; amount: number; units: number; request_id: string; resource: string }[];
    return rows.map((row) => ({
      accountId: row.account_id,
      pot: row.pot,
      amount: -row.amount,
      credits: row.units,
      requestId: row.request_id,
      resource: row.resource,
    }));
  }

  /** Every row of a wallet's account, as kind and nano-USD, oldest first. */
  movementsOf(address: string): [kind: string, amountNanoUsd: number][] {
    const key = address.startsWith('0x') ? address.toLowerCase() : address;
    if (!/^[0-9A-Za-z]+$/.test(key)) throw new Error(`${key} is no address.`);
    const rows = this.#database.rows(`select kind, amount from ledger where account_id = (select account_id from wallets where address = '${key}') order by id`) as { kind: string; amount: number }[];
    return rows.map(({ kind, amount }) => [kind, Number(amount)]);
  }

  /** Number of charges so far: a cheap way to see that there was none. */
  count(): number {
    const [row] = this.#database.rows("select count(*) as charges from ledger where kind = 'CHARGE'") as [{ charges: number }];
    return row.charges;
  }

  /** Bytes of the answers that are kept under idempotency keys. */
  keptBytes(): number {
    const [row] = this.#database.rows('select coalesce(sum(length(body)), 0) as bytes from idempotency_records') as [{ bytes: number }];
    return Number(row.bytes);
  }

  /** Makes every kept answer older, as if time had passed. */
  ageKeptAnswers(byMs: number): void {
    this.#database.run(`update idempotency_records set created_at = created_at - ${byMs}`);
  }

  /** Ends the lease of every reservation and of every open video, as if time had passed. On SQLite they end with their gateway. */
  endLeases(): void {
    if (!this.#onPostgres) return;
    this.#database.run('update reservations set expires_at = 0; update meters set lease_due_at = 0 where lease_due_at is not null; update video_requests set lease_until = 0');
  }

  close(): void {
    this.#database.close();
  }
}

function askSqlite(file: string): Asked {
  const database = new Sqlite(file);
  database.pragma('busy_timeout = 5000');
  return {
    rows: (query) => database.prepare(query).all(),
    run: (statement) => void database.exec(statement),
    close: () => void database.close(),
  };
}

/** By Postgres's own command line, since tests ask between two sentences and Node's client cannot answer at once. */
function askPostgres(url: string): Asked {
  const psql = (statement: string): string =>
    execFileSync('psql', ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', statement], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return {
    rows: (query) => JSON.parse(psql(`select coalesce(json_agg(asked), '[]') from (${query}) as asked`)) as unknown[],
    run: (statement) => void psql(statement),
    close: () => undefined,
  };
}
