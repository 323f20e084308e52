import { setImmediate as turn } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { type CountedCredits, creditMinuteStart, oldestCreditMinute, RollingCredits } from '../rules/credit-cap';
import { epochAt } from '../rules/epoch';

/** Ledger rows per statement. Such a statement blocks this thread for about 3 ms. */
const PAGE_ROWS = 2_000;

/**
 * Credits of an account's last 24 hours. At first, daily sums give an upper bound of the credits in the ledger. Single
 * charges, of which there can be hundreds of thousands, are read only for a call that this bound does not allow.
 */
export class CallerCredits implements CountedCredits {
  held = 0;
  readonly #rolling = new RollingCredits();
  readonly #reads: CreditReads;
  readonly #accountId: number;
  /** Upper bound of the credits in ledger rows up to `#throughId`; 0 once these are in `#rolling`. */
  #bound: number;
  readonly #throughId: number;
  #reading: Promise<void> | null = null;

  constructor(reads: CreditReads, accountId: number, now: number) {
    this.#reads = reads;
    this.#accountId = accountId;
    this.#bound = reads.sinceDay(accountId, epochAt(creditMinuteStart(oldestCreditMinute(now))));
    this.#throughId = this.#bound === 0 ? 0 : reads.lastId();
  }

  add(now: number, credits: number): void {
    this.#rolling.add(now, credits);
  }

  charged(now: number): number {
    return this.#bound + this.#rolling.charged(now);
  }

  freeAt(now: number, credits: number): number {
    return this.#rolling.freeAt(now, credits);
  }

  /**
   * @returns null if the credits are exact, or if their bound allows the call; otherwise a promise that resolves once
   * the credits are exact
   */
  exactFor(limit: number | null, maxCredits: number, now: number): Promise<void> | null {
    if (this.#bound === 0 || limit === null || maxCredits <= limit - this.charged(now) - this.held) return null;
    return (this.#reading ??= this.#readExact(now).finally(() => (this.#reading = null)));
  }

  /** Pauses between statements. Skips charges settled meanwhile, whose ids are above `#throughId`. */
  async #readExact(now: number): Promise<void> {
    const byMinute = new Map<number, number>();
    let after: readonly [at: number, id: number] = [creditMinuteStart(oldestCreditMinute(now)), 0];
    for (;;) {
      const rows = this.#reads.page(this.#accountId, after, this.#throughId);
      for (const [at, , credits] of rows) {
        const minute = at - (at % creditMinuteStart(1));
        byMinute.set(minute, (byMinute.get(minute) ?? 0) + credits);
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) break;
      after = [last[0], last[1]];
      await turn();
    }
    for (const [minute, credits] of byMinute) this.#rolling.add(minute, credits);
    this.#bound = 0;
  }
}

type CreditRow = readonly [at: number, id: number, credits: number];

/** Reads credits of RPC calls. */
export class CreditReads {
  readonly #sums;
  readonly #last;
  readonly #page;

  constructor(connection: DatabaseSync) {
    this.#sums = connection.prepare(
      "select coalesce(sum(units), 0) as credits from charge_days where account_id = ? and day >= ? and resource like 'rpc/%'",
    );
    this.#last = connection.prepare('select coalesce(max(id), 0) as id from ledger_rows');
    this.#page = connection.prepare(
      `select created_at, r.id, iif(coalesce(r.resource, n.resource) like 'rpc/%', units, 0)
         from ledger_rows r left join ledger_names n on n.id = r.name_id
        where account_id = ? and created_at >= ? and (created_at, r.id) > (?, ?) and r.id <= ?
        order by created_at, r.id limit ${PAGE_ROWS}`,
    );
    this.#page.setReturnArrays(true);
  }

  /** @param day UTC day since 1970 */
  sinceDay(accountId: number, day: number): number {
    return (this.#sums.get(accountId, day) as { credits: number }).credits;
  }

  lastId(): number {
    return (this.#last.get() as { id: number }).id;
  }

  /** Returns the oldest rows after a time and id, up to `throughId`. */
  page(accountId: number, [at, id]: readonly [at: number, id: number], throughId: number): CreditRow[] {
    return this.#page.all(accountId, at, at, id, throughId) as unknown as CreditRow[];
  }
}
