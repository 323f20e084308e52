import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { DatabaseSync } from 'node:sqlite';

/** Row of a charge in the ledger. Amounts are positive nano-USD. */
export interface ChargedRow {
  accountId: number;
  pot: string;
  amount: number;
  credits: number;
  requestId: string;
  resource: string;
}

/** Database that answers SQL synchronously. */
interface Asked {
  rows(query: string): unknown[];
  run(statement: string): void;
  close(): void;
}

/** Reads a gateway's ledger directly from its database: a file in its data folder, or Postgres. */
export class Books {
  readonly #database: Asked;
  readonly #onPostgres: boolean;

  constructor(dataDir: string, databaseUrl: string | null) {
    this.#onPostgres = databaseUrl !== null;
    this.#database = databaseUrl === null ? askSqlite(join(dataDir, 'turnpike.db')) : askPostgres(databaseUrl);
  }

  /** Returns all charges, or those of one account, oldest first. */
  charges(accountId?: number): ChargedRow[] {
    const ofAccount = accountId === undefined ? '' : `and account_id = ${accountId}`;
    const rows = this.#database.rows(
      `select account_id, pot, amount, units, request_id, resource from ledger where kind = 'CHARGE' ${ofAccount} order by created_at, id`,
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

  /** Returns all rows of a wallet's account, oldest first. Amounts are nano-USD. */
  movementsOf(address: string): [kind: string, amountNanoUsd: number][] {
    const key = address.startsWith('0x') ? address.toLowerCase() : address;
    if (!/^[0-9A-Za-z]+$/.test(key)) throw new Error(`${key} is no address.`);
    const rows = this.#database.rows(
      `select kind, amount from ledger where account_id = (select account_id from wallets where address = '${key}') order by id`,
    ) as { kind: string; amount: number }[];
    return rows.map(({ kind, amount }) => [kind, Number(amount)]);
  }

  /** Returns the number of charges so far. */
  count(): number {
    const [row] = this.#database.rows("select count(*) as charges from ledger where kind = 'CHARGE'") as [
      { charges: number },
    ];
    return row.charges;
  }

  /** Returns the bytes of all answers stored under idempotency keys. */
  keptBytes(): number {
    const [row] = this.#database.rows('select coalesce(sum(length(body)), 0) as bytes from idempotency_records') as [
      { bytes: number },
    ];
    return Number(row.bytes);
  }

  /** Makes every stored answer older, as if time had passed. */
  ageKeptAnswers(byMs: number): void {
    this.#database.run(`update idempotency_records set created_at = created_at - ${byMs}`);
  }

  /**
   * Ends the leases of all reservations and open videos, as if time had passed. On SQLite, reservations end with their
   * gateway.
   */
  endLeases(): void {
    if (!this.#onPostgres) return;
    this.#database.run(
      'update reservations set expires_at = 0; update meters set lease_due_at = 0 where lease_due_at is not null; update video_requests set lease_until = 0',
    );
  }

  close(): void {
    this.#database.close();
  }
}

function askSqlite(file: string): Asked {
  const database = new DatabaseSync(file);
  database.exec('pragma busy_timeout = 5000');
  return {
    rows: (query) => database.prepare(query).all(),
    run: (statement) => void database.exec(statement),
    close: () => void database.close(),
  };
}

const ANSWER_WITHIN_MS = 60_000;

/**
 * Sends statements to Postgres from another thread, and blocks until the answer. Starting a process for each query
 * would take longer than most tests.
 */
function askPostgres(url: string): Asked {
  const woken = new Int32Array(new SharedArrayBuffer(4));
  const { port1: answers, port2 } = new MessageChannel();
  let connection: Worker | null = null;
  const ask = (statement: string): unknown => {
    connection ??= new Worker(new URL('./postgres-connection.mjs', import.meta.url), {
      workerData: { url, answers: port2, woken },
      transferList: [port2],
    });
    connection.unref();
    Atomics.store(woken, 0, 0);
    connection.postMessage(statement);
    if (Atomics.wait(woken, 0, 0, ANSWER_WITHIN_MS) === 'timed-out')
      throw new Error(`Postgres did not answer within ${ANSWER_WITHIN_MS} ms: ${statement}`);
    const answer = receiveMessageOnPort(answers)?.message as { value: unknown } | { error: string };
    if ('error' in answer) throw new Error(`${answer.error}: ${statement}`);
    return answer.value;
  };
  return {
    rows: (query) => ask(`select coalesce(json_agg(asked), '[]') from (${query}) as asked`) as unknown[],
    run: (statement) => void ask(statement),
    close: () => {
      answers.close();
      void connection?.terminate();
    },
  };
}
