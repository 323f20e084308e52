import { setImmediate as turn } from 'node:timers/promises';
import type Sqlite from 'libsql';
import { epochAt, epochEnd, epochName, isCurrentEpoch } from '../rules/epoch';
import type { AllocateRequest, Allocation } from '../meter';
import type { GroupCommit } from './group-commit';
import { type AccountState, DIEM, type States } from './states';

/** Daily allocations on SQLite: what is fixed is on the books before it can be spent. */
export class Allocations {
  readonly #connection: Sqlite.Database;
  readonly #states: States;
  readonly #commits: GroupCommit;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(connection: Sqlite.Database, states: States, commits: GroupCommit) {
    this.#connection = connection;
    this.#states = states;
    this.#commits = commits;
    this.#statements = prepare(connection);
  }

  /** What is fixed for the epoch that runs. */
  current(accountId: number, now: number): Allocation | null {
    const { diemEpoch } = this.#states.account(accountId, now);
    return isCurrentEpoch(diemEpoch, now) ? this.#fixed(accountId, diemEpoch) : null;
  }

  /**
   * Fixes it, unless it is fixed. What is left of the epoch before expires, but for what running calls still hold of it:
   * that is carried, out of reach of anybody else, until they are charged, and what they free of it expires with the
   * next one.
   */
  async fix(request: AllocateRequest, clock: () => number): Promise<Allocation | null> {
    // Out of reach of transactions of the store's other connection in this process, which never outlive a turn.
    await turn();
    const now = clock();
    // With no charge waiting, what is in memory is what is committed.
    this.#commits.flush();
    const account = this.#states.account(request.accountId, now);
    if (!isCurrentEpoch(account.diemEpoch, now)) {
      const isFixed = this.#connection.transaction(() => this.#write(account, request, now)).immediate() as boolean;
      if (isFixed) takeOver(account, request.amountNanoUsd, epochAt(now));
    }
    return this.#fixed(account.id, account.diemEpoch);
  }

  #write(account: AccountState, { amountNanoUsd, staked, pool }: AllocateRequest, now: number): boolean {
    this.#states.prove();
    this.#states.reconcile(account);
    const epoch = epochAt(now);
    const { changes } = this.#statements.insert.run(account.id, epoch, amountNanoUsd, String(staked), String(pool), now);
    if (changes === 0) return false;
    const held = heldOf(account);
    const left = account.balances[DIEM] - held;
    const total = held + amountNanoUsd;
    if (left > 0) this.#statements.ledger.run(account.id, 'EXPIRY', -left, held, epochName(account.diemEpoch), now);
    this.#statements.ledger.run(account.id, 'ALLOCATION', amountNanoUsd, total, epochName(epoch), now);
    this.#statements.meter.run(total, epoch, held, account.id);
    return true;
  }

  #fixed(accountId: number, epoch: number): Allocation | null {
    const row = this.#statements.find.get(accountId, epoch) as { amount: number } | undefined;
    return row ? { epoch, amountNanoUsd: row.amount } : null;
  }
}

/** What running calls hold of the daily pot, of whichever epoch. */
function heldOf(account: AccountState): number {
  return account.held[DIEM] + account.heldCarried;
}

/** Brings an account in memory to what has been committed. */
function takeOver(account: AccountState, amountNanoUsd: number, epoch: number): void {
  const held = heldOf(account);
  account.balances[DIEM] = held + amountNanoUsd;
  account.committed[DIEM] = held + amountNanoUsd;
  account.diemCarried = held;
  account.heldCarried = held;
  account.held[DIEM] = 0;
  account.diemEpoch = epoch;
  account.diemEndsAt = epochEnd(epoch);
}

function prepare(connection: Sqlite.Database) {
  return {
    find: connection.prepare('select amount from allocations where account_id = ? and epoch = ?'),
    insert: connection.prepare('insert into allocations (account_id, epoch, amount, staked, pool, created_at) values (?, ?, ?, ?, ?, ?) on conflict do nothing'),
    ledger: connection.prepare(
      `insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
       values (?, 'diem', ?, ?, ?, null, 'allocation', ?, 0, '', ?)`,
    ),
    meter: connection.prepare('update meters set diem = ?, diem_epoch = ?, diem_carried = ? where account_id = ?'),
  };
}
