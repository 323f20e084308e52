import { setImmediate as turn } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { AllocateRequest, Allocation } from '../meter';
import { fixAllocation, isAllocationDue } from '../rules/allocation';
import { epochAt, epochName } from '../rules/epoch';
import type { Pots } from '../rules/pots';
import { DIEM } from '../rules/spending-order';
import type { WriteGuard } from '../../db/store-status';
import type { GroupCommit } from './group-commit';
import type { AccountState, States } from './states';

export class Allocations {
  readonly #connection: DatabaseSync;
  readonly #states: States;
  readonly #commits: GroupCommit;
  readonly #guard: WriteGuard;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(connection: DatabaseSync, states: States, commits: GroupCommit, guard: WriteGuard) {
    this.#guard = guard;
    this.#connection = connection;
    this.#states = states;
    this.#commits = commits;
    this.#statements = prepare(connection);
  }

  current(accountId: number, now: number): Allocation | null {
    const { pots } = this.#states.account(accountId, now);
    return isAllocationDue(pots, now) ? null : this.#fixed(accountId, pots.diemEpoch);
  }

  async fix(request: AllocateRequest, clock: () => number): Promise<Allocation | null> {
    // Waits a turn of the event loop, within which transactions on the store's other connection end.
    await turn();
    const now = clock();
    // After the flush no charge is pending, so the balances in memory equal those in the database.
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

  #inTransaction(work: () => Pots | null): Pots | null {
    try {
      this.#connection.exec('begin immediate');
      const pots = work();
      this.#connection.exec('commit');
      return pots;
    } catch (error) {
      // On a full disk, SQLite may have rolled back already.
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
      throw this.#guard.failed(error as Error);
    }
  }

  /** @returns written balances; null if the allocation was already fixed */
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

function prepare(connection: DatabaseSync) {
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
