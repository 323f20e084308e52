import { setImmediate as turn } from 'node:timers/promises';
import type Sqlite from 'libsql';
import type { AllocateRequest, Allocation } from '../meter';
import { fixAllocation, isAllocationDue } from '../rules/allocation';
import { epochAt, epochName } from '../rules/epoch';
import type { Pots } from '../rules/pots';
import { DIEM } from '../rules/spending-order';
import type { WriteGuard } from '../../db/store-status';
import type { GroupCommit } from './group-commit';
import type { AccountState, States } from './states';

/** Daily allocations on SQLite: what is fixed is on the books before it can be spent. */
export class Allocations {
  readonly #connection: Sqlite.Database;
  readonly #states: States;
  readonly #commits: GroupCommit;
  readonly #guard: WriteGuard;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(connection: Sqlite.Database, states: States, commits: GroupCommit, guard: WriteGuard) {
    this.#guard = guard;
    this.#connection = connection;
    this.#states = states;
    this.#commits = commits;
    this.#statements = prepare(connection);
  }

  /** What is fixed for the epoch that runs. */
  current(accountId: number, now: number): Allocation | null {
    const { pots } = this.#states.account(accountId, now);
    return isAllocationDue(pots, now) ? null : this.#fixed(accountId, pots.diemEpoch);
  }

  /**
   * Fixes it, unless it is fixed, by `fixAllocation`.
   */
  async fix(request: AllocateRequest, clock: () => number): Promise<Allocation | null> {
    // Out of reach of transactions of the store's other connection in this process, which never outlive a turn.
    await turn();
    const now = clock();
    // With no charge waiting, what is in memory is what is committed.
    this.#commits.flush();
    const account = this.#states.account(request.accountId, now);
    if (isAllocationDue(account.pots, now)) {
      const pots = this.#inTransaction(() => this.#write(account, request, now));
      if (pots) {
        account.pots = pots;
        account.committed = pots.balances;
      }
    }
    return this.#fixed(account.id, account.pots.diemEpoch);
  }

  /** @throws ApiError STORE_FULL where there is no room. */
  #inTransaction(work: () => Pots | null): Pots | null {
    try {
      return this.#connection.transaction(work).immediate() as Pots | null;
    } catch (error) {
      throw this.#guard.failed(error as Error);
    }
  }

  /** @returns the pots that were written; null where the epoch was fixed before. */
  #write(account: AccountState, { amountNanoUsd, staked, pool }: AllocateRequest, now: number): Pots | null {
    this.#states.prove();
    this.#states.reconcile(account);
    const { changes } = this.#statements.insert.run(
      account.id,
      epochAt(now),
      amountNanoUsd,
      String(staked),
      String(pool),
      now,
    );
    if (changes === 0) return null;
    const { pots, entries } = fixAllocation(account.pots, amountNanoUsd, now);
    for (const { kind, amount, balanceAfter, epoch } of entries)
      this.#statements.ledger.run(account.id, kind, amount, balanceAfter, epochName(epoch), now);
    this.#statements.meter.run(pots.balances[DIEM], pots.diemEpoch, pots.diemCarried, account.id);
    return pots;
  }

  #fixed(accountId: number, epoch: number): Allocation | null {
    const row = this.#statements.find.get(accountId, epoch) as { amount: number } | undefined;
    return row ? { epoch, amountNanoUsd: row.amount } : null;
  }
}

function prepare(connection: Sqlite.Database) {
  return {
    find: connection.prepare('select amount from allocations where account_id = ? and epoch = ?'),
    insert: connection.prepare(
      'insert into allocations (account_id, epoch, amount, staked, pool, created_at) values (?, ?, ?, ?, ?, ?) on conflict do nothing',
    ),
    ledger: connection.prepare(
      `insert into ledger (account_id, pot, kind, amount, balance_after, api_key_id, resource, detail, units, request_id, created_at)
       values (?, 'diem', ?, ?, ?, null, 'allocation', ?, 0, '', ?)`,
    ),
    meter: connection.prepare('update meters set diem = ?, diem_epoch = ?, diem_carried = ? where account_id = ?'),
  };
}
