import { setImmediate as turn } from 'node:timers/promises';
import { withRequest } from '@/lib/protocol/running-minute';
import { type IdempotencyConfig, idempotencySchema } from '../../config/idempotency';
import type { SqliteStore } from '../../db/sqlite/open';
import { UNGUARDED, type WriteGuard } from '../../db/store-status';
import type { Awaitable, Caller, KeyRecord } from '../../auth/caller';
import type {
  Admission,
  AllocateRequest,
  Allocation,
  Charge,
  Meter,
  MeterLimits,
  Reservation,
  ReserveRequest,
  Settled,
} from '../meter';
import { countsTowardMinute, judge } from '../rules/admission';
import { chargeEntries, type PotAmounts } from '../rules/spending-order';
import { hasLimits, type KeySpend, keySpendOf } from '../rules/key-limit';
import {
  chargedTo,
  type Hold,
  planHold,
  purseTotal,
  spendable,
  takenOfCarried,
  withCharge,
  withHold,
  withoutCharge,
  withoutHold,
} from '../rules/pots';
import { Allocations } from './allocations';
import { SqliteCallerFacts } from './caller-facts';
import { GroupCommit } from './group-commit';
import { KeptAnswers } from './kept-answers';
import { RunningCharges } from './running-charges';
import { type AccountState, type KeyState, States } from './states';

interface RunningReservation extends Reservation {
  account: AccountState;
  key: KeyState | null;
  hold: Hold;
  open: boolean;
  noted: string | null;
}

/**
 * Meter of a single gateway on SQLite. Keeps reservations in memory, because only one process uses the data folder.
 * Commits charges in groups.
 */
export class SqliteMeter implements Meter {
  readonly #states: States;
  readonly #commits: GroupCommit;
  readonly #guard: WriteGuard;
  #limits: MeterLimits;
  readonly #allocations: Allocations;
  readonly #notes: RunningCharges;
  readonly #kept: KeptAnswers;
  #running = 0;

  /** @param guard object that refuses calls while the disk is full */
  constructor(
    store: Pick<SqliteStore, 'meterConnection' | 'commits'>,
    limits: MeterLimits,
    keeping: IdempotencyConfig = idempotencySchema.parse({}),
    guard: WriteGuard = UNGUARDED,
  ) {
    this.#guard = guard;
    const connection = store.meterConnection;
    this.#states = new States(store);
    this.#kept = new KeptAnswers(connection, keeping);
    this.#commits = new GroupCommit(connection, this.#states, this.#kept, { running: () => this.#running, guard });
    this.#limits = limits;
    this.#allocations = new Allocations(connection, this.#states, this.#commits, guard);
    this.#notes = new RunningCharges(connection);
    this.#chargeLeft();
  }

  takeLimits(limits: MeterLimits): void {
    this.#limits = limits;
  }

  findKey(hash: string): KeyRecord | null {
    return this.#states.key(hash);
  }

  findWallet(key: string): number | null {
    return this.#states.wallet(key);
  }

  /** Does nothing, because cached keys are checked before each use. */
  keyChanged(): void {}

  spendable({ accountId, purse }: Caller): number {
    const now = Date.now();
    return spendable(this.#states.account(accountId, now).pots, purse, now);
  }

  allocation(accountId: number): Allocation | null {
    return this.#allocations.current(accountId, Date.now());
  }

  allocate(request: AllocateRequest): Promise<Allocation | null> {
    return this.#allocations.fix(request, () => Date.now());
  }

  /** @throws ApiError STORE_FULL if nothing can be written */
  reserve(request: ReserveRequest): Awaitable<Admission> {
    this.#guard.assertWritable();
    const account = this.#states.account(request.caller.accountId, request.now);
    const exact = request.uncapped
      ? null
      : account.credits.exactFor(this.#limits.creditsPerDay[account.tier], request.maxCredits, request.now);
    if (exact) return this.#reserveAfter(exact, account, request);
    return this.#reserveNow(request, account);
  }

  async #reserveAfter(exact: Promise<void>, account: AccountState, request: ReserveRequest): Promise<Admission> {
    account.uses++;
    try {
      await exact;
    } finally {
      account.uses--;
    }
    return this.reserve(request);
  }

  #reserveNow(request: ReserveRequest, account: AccountState): Admission {
    const key = request.keyHash === null ? null : this.#states.key(request.keyHash);
    const verdict = judge(
      request,
      new SqliteCallerFacts(account, key, request.now, this.#limits, this.#states, this.#kept),
    );
    if (countsTowardMinute(request, verdict)) account.minute = withRequest(account.minute, request.now);
    if (verdict.outcome !== 'admitted') return verdict;
    const reservation = this.#hold(request, account, key, verdict.hold);
    return {
      outcome: 'admitted',
      reservation,
      remainingNanoUsd: spendable(account.pots, request.caller.purse, request.now),
    };
  }

  settle(reservation: Reservation, charge: Charge): Promise<Settled> {
    const running = reservation as RunningReservation;
    const { account, key, request, hold } = running;
    if (!running.open) throw new Error('A reservation can be settled only once.');
    const charged = chargedTo(hold, charge.amountNanoUsd);
    const now = Date.now();
    this.#free(running, { keepIdempotencyKey: true });
    const carried = takenOfCarried(account.pots, hold, charged);
    account.pots = withCharge(account.pots, hold, charged);
    account.credits.add(now, charge.credits);
    const keySpend = key ? this.#spendOf(key, charged, now) : null;
    account.uses++;
    const remainingNanoUsd = purseTotal(account.pots, request.caller.purse, now);
    const replay =
      request.idempotency && charge.replayBody
        ? { ...request.idempotency, body: charge.replayBody, isKept: true }
        : null;
    return new Promise<Settled>((resolve, reject) => {
      const finish = (): void => {
        account.uses--;
        if (request.idempotency) account.runningKeys.delete(request.idempotency.key);
      };
      this.#commits.add({
        account,
        entries: chargeEntries(charged, charge),
        apiKeyId: request.caller.apiKeyId,
        bought: charge,
        keySpend,
        carried,
        noted: running.noted,
        replay,
        at: now,
        committed: () => {
          if (key && keySpend && key.period === keySpend.period) {
            key.committedUsd += keySpend.usd;
            key.committedDiem += keySpend.diem;
            key.committedPrepaid += keySpend.prepaid;
          }
          finish();
          resolve(replay?.isKept === false ? { remainingNanoUsd, isUnkept: true } : { remainingNanoUsd });
        },
        failed: (error) => {
          account.pots = withoutCharge(account.pots, hold, charged);
          account.credits.add(now, -charge.credits);
          if (key && keySpend) addSpend(key, keySpend.period, keySpend, -1);
          finish();
          // Deletes the checkpoint. Otherwise the next start would charge it, although the call's own charge failed.
          this.#forgetNote(running).then(
            () => reject(error),
            () => reject(error),
          );
        },
      });
    });
  }

  async checkpoint(reservation: Reservation, charge: Charge): Promise<void> {
    const running = reservation as RunningReservation;
    // Waits a turn of the event loop, within which transactions on the store's other connection end.
    await turn();
    if (!running.open) return;
    running.noted = charge.requestId;
    this.#notes.write(running.request, charge);
  }

  release(reservation: Reservation): void | Promise<void> {
    const running = reservation as RunningReservation;
    if (!running.open) return;
    this.#free(running, { keepIdempotencyKey: false });
    if (running.noted !== null) return this.#forgetNote(running);
  }

  close(): void {
    this.#commits.flush();
  }

  /**
   * Charges the checkpoints that a crash left behind, before anything else uses the ledger. Ignores key limits, because
   * the calls have already run.
   */
  #chargeLeft(): void {
    for (const { request, charge } of this.#notes.left(Date.now())) {
      const {
        caller: { accountId, purse },
        now,
      } = request;
      const account = this.#states.account(accountId, now);
      const key = request.keyHash === null ? null : this.#states.key(request.keyHash);
      const amountNanoUsd = Math.min(request.maxNanoUsd, spendable(account.pots, purse, now));
      const reservation = this.#hold(request, account, key, planHold(account.pots, purse, amountNanoUsd, now) as Hold);
      reservation.noted = charge.requestId;
      this.settle(reservation, { ...charge, amountNanoUsd }).catch(() => undefined);
    }
    this.#commits.flush();
  }

  async #forgetNote({ noted }: RunningReservation): Promise<void> {
    if (noted === null) return;
    await turn();
    this.#notes.forget(noted);
  }

  #hold(request: ReserveRequest, account: AccountState, key: KeyState | null, hold: Hold): RunningReservation {
    account.pots = withHold(account.pots, hold);
    if (key) addHeld(key, hold, 1);
    this.#running++;
    account.credits.held += request.maxCredits;
    account.uses++;
    if (request.idempotency) account.runningKeys.add(request.idempotency.key);
    return { request, account, key, hold, open: true, noted: null };
  }

  #free(running: RunningReservation, { keepIdempotencyKey }: { keepIdempotencyKey: boolean }): void {
    const { account, key, hold, request } = running;
    running.open = false;
    this.#running--;
    account.pots = withoutHold(account.pots, hold);
    if (key) addHeld(key, hold, -1);
    account.credits.held -= request.maxCredits;
    account.uses--;
    if (request.idempotency && !keepIdempotencyKey) account.runningKeys.delete(request.idempotency.key);
  }

  #spendOf(key: KeyState, charged: PotAmounts, now: number) {
    if (!hasLimits(key)) return null;
    this.#states.enterPeriod(key, now);
    const { usd, diem, prepaid } = keySpendOf(charged);
    addSpend(key, key.period, { usd, diem, prepaid }, 1);
    return { keyId: key.id, period: key.period, usd, diem, prepaid };
  }
}

function addHeld(key: KeyState, { amounts }: Hold, factor: 1 | -1): void {
  const { usd, diem, prepaid } = keySpendOf(amounts);
  key.heldUsd += factor * usd;
  key.heldDiem += factor * diem;
  key.heldPrepaid += factor * prepaid;
}

function addSpend(key: KeyState, period: string, { usd, diem, prepaid }: KeySpend, factor: 1 | -1): void {
  if (key.period !== period) return;
  key.spentUsd += factor * usd;
  key.spentDiem += factor * diem;
  key.spentPrepaid += factor * prepaid;
}
