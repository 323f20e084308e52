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

/** The ledger of a gateway, read from its database file beside it. */
export class Books {
  readonly #database: Sqlite.Database;

  constructor(dataDir: string) {
    this.#database = new Sqlite(join(dataDir, 'turnpike.db'));
    this.#database.pragma('busy_timeout = 5000');
  }

  /** All charges, or those of one account, oldest first. */
  charges(accountId?: number): ChargedRow[] {
    const rows = this.#database
      .prepare("select account_id, pot, amount, units, request_id, resource from ledger where kind = 'CHARGE' and (? is null or account_id = ?) order by id")
      .all(accountId ?? null, accountId ?? null) as { account_id: number; pot: string; amount: number; units: number; request_id: string; resource: string }[];
    return rows.map((row) => ({
      accountId: row.account_id,
      pot: row.pot,
      amount: -row.amount,
      credits: row.units,
      requestId: row.request_id,
      resource: row.resource,
    }));
  }

  /** Number of charges so far: a cheap way to see that there was none. */
  count(): number {
    const row = this.#database.prepare("select count(*) as charges from ledger where kind = 'CHARGE'").get() as { charges: number };
    return row.charges;
  }

  /** Makes every kept answer older, as if time had passed. */
  ageKeptAnswers(byMs: number): void {
    this.#database.prepare('update idempotency_records set created_at = created_at - ?').run(byMs);
  }

  close(): void {
    this.#database.close();
  }
}
