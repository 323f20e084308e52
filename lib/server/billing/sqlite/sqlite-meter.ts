import { setImmediate as turn } from 'node:timers/promises';
import type Sqlite from 'libsql';
import { type IdempotencyConfig, idempotencySchema } from '../../config/idempotency';
import { POTS } from '../../db/schema';
import type { Caller, KeyRecord, Purse } from '../../auth/caller';
import type {
  Admission,
  AllocateRequest,
  Allocation,
  Charge,
  Meter,
  MeterLimits,
  Refusal,
  Reservation,
  ReserveRequest,
  Settled,
} from '../meter';
import { Allocations } from './allocations';
import { GroupCommit, type LedgerRow } from './group-commit';
import { KeptAnswers } from './kept-answers';
import { RunningCharges } from './running-charges';
import { type AccountState, DIEM, diemOf, type KeyState, type PotAmounts, States } from './states';

/** Pots a purse spends, in order (spec, "Authentication": daily allocation, bundled credits, USD). */
const PURSE_POTS: Readonly<Record<Purse, readonly number[]>> = {
  account: [DIEM, POTS.indexOf('bundled'), POTS.indexOf('usd')],
  x402: [POTS.indexOf('x402')],
};

interface RunningReservation extends Reservation {
  account: AccountState;
  key: KeyState | null;
  held: PotAmounts;
  /** The epoch of the daily pot that it holds of. */
  diemEpoch: number;
  open: boolean;
  /** The request id under which it was noted what the call came to. */
  noted: string | null;
}

/**
 * The meter of a single gateway process on SQLite. Reservations live in memory, which is safe because the data
 * folder is claimed by one process: whatever dies with it was never charged. Settling commits in groups.
 */
export class SqliteMeter implements Meter {
  readonly #states: States;
  readonly #commits: GroupCommit;
  readonly #limits: MeterLimits;
  readonly #allocations: Allocations;
  readonly #notes: RunningCharges;
  readonly #kept: KeptAnswers;
  /** Reservations that are neither settled nor released. */
  #running = 0;

  constructor(connection: Sqlite.Database, limits: MeterLimits, keeping: IdempotencyConfig = idempotencySchema.parse({})) {
    this.#states = new States(connection);
    this.#kept = new KeptAnswers(connection, keeping);
    this.#commits = new GroupCommit(connection, this.#states, this.#kept, () => this.#running);
    this.#limits = limits;
    this.#allocations = new Allocations(connection, this.#states, this.#commits);
    this.#notes = new RunningCharges(connection);
    this.#chargeLeft();
  }

  findKey(hash: string): KeyRecord | null {
    return this.#states.key(hash);
  }

  findWallet(key: string): number | null {
    return this.#states.wallet(key);
  }

  spendable(caller: Caller): number {
    const now = Date.now();
    return spendableOf(this.#states.account(caller.accountId, now), caller.purse, now);
  }

  allocation(accountId: number): Allocation | null {
    return this.#allocations.current(accountId, Date.now());
  }

  allocate(request: AllocateRequest): Promise<Allocation | null> {
    return this.#allocations.fix(request, () => Date.now());
  }

  reserve(request: ReserveRequest): Admission {
    const { caller, idempotency, now } = request;
    const account = this.#states.account(caller.accountId, now);
    const key = request.keyHash === null ? null : this.#states.key(request.keyHash);
    const refusal = this.#refuseKey(request, key) ?? (request.uncapped ? null : this.#refuseMinute(account, now)) ?? refuseCollision(account, request);
    if (refusal) return { outcome: 'refused', refusal };
    if (idempotency) {
      const kept = this.#states.replay(account.id, idempotency.key, now);
      if (kept && kept.fingerprint !== idempotency.fingerprint) return { outcome: 'refused', refusal: { reason: 'key-reused' } };
      if (kept) {
        account.minute.take(now);
        return kept.isKept ? { outcome: 'replayed', body: kept.body } : { outcome: 'refused', refusal: { reason: 'answer-not-kept' } };
      }
      if (this.#kept.hasAllKeys(account.id)) return { outcome: 'refused', refusal: { reason: 'key-cap', limit: this.#kept.keysMax } };
    }
    return this.#hold(request, account, key);
  }

  settle(reservation: Reservation, charge: Charge): Promise<Settled> {
    const running = reservation as RunningReservation;
    const { account, key, request } = running;
    if (!running.open) throw new Error('A reservation can be settled once.');
    if (charge.amountNanoUsd > request.maxNanoUsd) throw new Error('A charge cannot exceed what was reserved for it.');
    const now = Date.now();
    this.#free(running, { keepIdempotencyKey: true });
    const rows = takeFromPots(running, charge);
    account.credits.add(now, charge.credits);
    const keySpend = key ? this.#spendOf(key, rows, now) : null;
    account.uses++;
    const carried = running.diemEpoch === account.diemEpoch ? 0 : carriedOf(rows);
    account.diemCarried -= carried;
    const remainingNanoUsd = purseOf(account, request.caller.purse, now);
    const replay = request.idempotency && charge.replayBody ? { ...request.idempotency, body: charge.replayBody, isKept: true } : null;
    return new Promise<Settled>((resolve, reject) => {
      const finish = (): void => {
        account.uses--;
        if (request.idempotency) account.runningKeys.delete(request.idempotency.key);
      };
      this.#commits.add({
        account,
        rows,
        keySpend,
        carried,
        noted: running.noted,
        replay,
        at: now,
        committed: () => {
          if (key && keySpend && key.period === keySpend.period) {
            key.committedUsd += keySpend.usd;
            key.committedDiem += keySpend.diem;
          }
          finish();
          resolve(replay?.isKept === false ? { remainingNanoUsd, isUnkept: true } : { remainingNanoUsd });
        },
        failed: (error) => {
          for (const row of rows) account.balances[row.pot] = (account.balances[row.pot] as number) + row.amount;
          account.diemCarried += carried;
          account.credits.add(now, -charge.credits);
          if (key && keySpend) addSpend(key, keySpend.period, -keySpend.usd, -keySpend.diem);
          finish();
          reject(error);
        },
      });
    });
  }

  async checkpoint(reservation: Reservation, charge: Charge): Promise<void> {
    const running = reservation as RunningReservation;
    // Out of reach of transactions of the store's other connection in this process, which never outlive a turn.
    await turn();
    if (!running.open) return;
    running.noted = charge.requestId;
    this.#notes.write(running.request, charge);
  }

  release(reservation: Reservation): void | Promise<void> {
    const running = reservation as RunningReservation;
    if (!running.open) return;
    this.#free(running, { keepIdempotencyKey: false });
    const { noted } = running;
    if (noted !== null) return turn().then(() => this.#notes.forget(noted));
  }

  close(): void {
    this.#commits.flush();
  }

  /** Charges what calls came to that ran when the process died. Nobody else has the books yet: what they held is there. */
  #chargeLeft(): void {
    for (const { request, charge } of this.#notes.left(Date.now())) {
      const account = this.#states.account(request.caller.accountId, request.now);
      const key = request.keyHash === null ? null : this.#states.key(request.keyHash);
      const maxNanoUsd = Math.min(request.maxNanoUsd, spendableOf(account, request.caller.purse, request.now));
      const admission = this.#hold({ ...request, maxNanoUsd }, account, key, { isDue: true });
      if (admission.outcome !== 'admitted') continue;
      (admission.reservation as RunningReservation).noted = charge.requestId;
      this.settle(admission.reservation, { ...charge, amountNanoUsd: maxNanoUsd }).catch(() => undefined);
    }
    this.#commits.flush();
  }

  #refuseKey(request: ReserveRequest, key: KeyState | null): Refusal | null {
    if (request.keyHash === null) return null;
    if (!key || key.revokedAt !== null) return { reason: 'key-revoked' };
    if (key.expiresAt !== null && key.expiresAt <= request.now) return { reason: 'key-expired' };
    return null;
  }

  #refuseMinute(account: AccountState, now: number): Refusal | null {
    const limit = this.#limits.requestsPerMinute[account.tier];
    if (limit === null || account.minute.count(now) < limit) return null;
    return { reason: 'minute-cap', limit, remaining: 0, resetAt: account.minute.resetAt() };
  }

  /** @param isDue whether it has been sold already, so that a key's limit is no longer a reason to refuse it. */
  #hold(request: ReserveRequest, account: AccountState, key: KeyState | null, { isDue } = { isDue: false }): Admission {
    const refusal = request.uncapped ? null : this.#refuseCredits(account, request);
    if (refusal) return { outcome: 'refused', refusal };
    const held = planHold(account, request.caller.purse, request.maxNanoUsd, request.now);
    if (!held) {
      const spendableNanoUsd = spendableOf(account, request.caller.purse, request.now);
      return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd } };
    }
    const overLimit = key && !isDue && this.#refuseKeyLimit(key, held, request.now);
    if (overLimit) return { outcome: 'refused', refusal: overLimit };
    for (const pot of PURSE_POTS[request.caller.purse]) account.held[pot] = (account.held[pot] as number) + (held[pot] as number);
    if (key) {
      key.heldDiem += held[DIEM];
      key.heldUsd += request.maxNanoUsd - held[DIEM];
    }
    this.#running++;
    account.heldCredits += request.maxCredits;
    account.uses++;
    if (!request.uncapped) account.minute.take(request.now);
    if (request.idempotency) account.runningKeys.add(request.idempotency.key);
    const reservation: RunningReservation = { request, account, key, held, diemEpoch: account.diemEpoch, open: true, noted: null };
    return { outcome: 'admitted', reservation, remainingNanoUsd: spendableOf(account, request.caller.purse, request.now) };
  }

  #refuseCredits(account: AccountState, { maxCredits, now }: ReserveRequest): Refusal | null {
    const limit = this.#limits.creditsPerDay[account.tier];
    if (limit === null) return null;
    const remaining = limit - account.credits.total(now) - account.heldCredits;
    if (maxCredits <= remaining) return null;
    return { reason: 'credit-cap', limit, remaining: Math.max(0, remaining), resetAt: account.credits.freeAt(now, maxCredits - remaining) };
  }

  #refuseKeyLimit(key: KeyState, held: PotAmounts, now: number): Refusal | null {
    if (key.limitUsd === null && key.limitDiem === null) return null;
    this.#states.enterPeriod(key, now);
    const diem = held[DIEM];
    const usd = held.reduce((sum, amount) => sum + amount, 0) - diem;
    const period = key.limitPeriod;
    if (key.limitDiem !== null && diem > 0 && key.spentDiem + key.heldDiem + diem > key.limitDiem) return { reason: 'key-limit', currency: 'diem', period };
    if (key.limitUsd !== null && usd > 0 && key.spentUsd + key.heldUsd + usd > key.limitUsd) return { reason: 'key-limit', currency: 'usd', period };
    return null;
  }

  #spendOf(key: KeyState, rows: readonly LedgerRow[], now: number) {
    if (key.limitUsd === null && key.limitDiem === null) return null;
    this.#states.enterPeriod(key, now);
    let usd = 0;
    let diem = 0;
    for (const row of rows) {
      if (row.pot === DIEM) diem += row.amount;
      else usd += row.amount;
    }
    addSpend(key, key.period, usd, diem);
    return { keyId: key.id, period: key.period, usd, diem };
  }

  #free(running: RunningReservation, { keepIdempotencyKey }: { keepIdempotencyKey: boolean }): void {
    const { account, key, held, request } = running;
    running.open = false;
    this.#running--;
    for (const pot of PURSE_POTS[request.caller.purse]) account.held[pot] = (account.held[pot] as number) - (held[pot] as number);
    if (running.diemEpoch !== account.diemEpoch) {
      // What was held of an earlier epoch is carried, apart from this one's pot.
      account.held[DIEM] += held[DIEM];
      account.heldCarried -= held[DIEM];
    }
    if (key) {
      key.heldDiem -= held[DIEM];
      key.heldUsd -= request.maxNanoUsd - held[DIEM];
    }
    account.heldCredits -= request.maxCredits;
    account.uses--;
    if (request.idempotency && !keepIdempotencyKey) account.runningKeys.delete(request.idempotency.key);
  }
}

function refuseCollision(account: AccountState, { idempotency }: ReserveRequest): Refusal | null {
  return idempotency && account.runningKeys.has(idempotency.key) ? { reason: 'collision', kind: 'idempotency-key' } : null;
}

function spendableOf(account: AccountState, purse: Purse, now: number): number {
  let sum = 0;
  for (const pot of PURSE_POTS[purse]) sum += freeIn(account, pot, now);
  return sum;
}

/** What a purse has, what is held of it included. */
function purseOf(account: AccountState, purse: Purse, now: number): number {
  let sum = 0;
  for (const pot of PURSE_POTS[purse]) sum += pot === DIEM ? diemOf(account, now) : (account.balances[pot] as number);
  return sum;
}

function freeIn(account: AccountState, pot: number, now: number): number {
  if (pot === DIEM) return Math.max(0, diemOf(account, now) - account.held[DIEM]);
  return (account.balances[pot] as number) - (account.held[pot] as number);
}

function carriedOf(rows: readonly LedgerRow[]): number {
  let sum = 0;
  for (const row of rows) if (row.pot === DIEM) sum += row.amount;
  return sum;
}

/** Spreads the most that a call can cost over the pots of its purse, in their order; null if they hold too little. */
function planHold(account: AccountState, purse: Purse, maxNanoUsd: number, now: number): PotAmounts | null {
  const held: PotAmounts = [0, 0, 0, 0];
  let rest = maxNanoUsd;
  for (const pot of PURSE_POTS[purse]) {
    const part = Math.min(rest, freeIn(account, pot, now));
    held[pot] = part;
    rest -= part;
  }
  return rest === 0 ? held : null;
}

/** Charges what the reservation held, first pots first. A charge that spans pots has a ledger row in each. */
function takeFromPots({ account, held, request }: RunningReservation, charge: Charge): LedgerRow[] {
  const rows: LedgerRow[] = [];
  let rest = charge.amountNanoUsd;
  for (const pot of PURSE_POTS[request.caller.purse]) {
    const amount = Math.min(rest, held[pot] as number);
    if (amount === 0) continue;
    rest -= amount;
    account.balances[pot] = (account.balances[pot] as number) - amount;
    rows.push({
      pot,
      amount,
      apiKeyId: request.caller.apiKeyId,
      resource: charge.resource,
      detail: charge.detail,
      // Counted once, whatever number of pots it takes.
      units: rows.length === 0 ? (charge.units ?? charge.credits) : 0,
      requestId: charge.requestId,
    });
  }
  return rows;
}

function addSpend(key: KeyState, period: string, usd: number, diem: number): void {
  if (key.period !== period) return;
  key.spentUsd += usd;
  key.spentDiem += diem;
}
