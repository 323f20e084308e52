import { periodName } from '@/lib/protocol/api-keys/terms';
import { NO_REQUESTS, type RunningMinute, withRequest } from '@/lib/protocol/running-minute';
import type { Caller, Purse } from '@/lib/server/auth/caller';
import type { Charge, MeterLimits, Refusal, ReserveRequest } from '@/lib/server/billing/meter';
import { type CallerFacts, countsTowardMinute, judge, type KeyFacts } from '@/lib/server/billing/rules/admission';
import { fixAllocation, isAllocationDue } from '@/lib/server/billing/rules/allocation';
import { chargeEntries, NO_AMOUNTS, type PotAmounts } from '@/lib/server/billing/rules/spending-order';
import {
  creditMinute,
  creditsForgottenAt,
  freeAtLast,
  oldestCreditMinute,
} from '@/lib/server/billing/rules/credit-cap';
import { epochAt, epochName } from '@/lib/server/billing/rules/epoch';
import { forgottenUntil, type KeptAnswer } from '@/lib/server/billing/rules/idempotency';
import { hasLimits, type KeySpend, keySpendOf, NO_SPEND } from '@/lib/server/billing/rules/key-limit';
import {
  chargedTo,
  clampToHold,
  EMPTY_POTS,
  type Hold,
  planHold,
  type Pots,
  purseTotal,
  spendable,
  withCharge,
  withCredit,
  withHold,
  withoutHold,
} from '@/lib/server/billing/rules/pots';
import { isMoneyPutIn } from '@/lib/server/db/credits';
import { type LedgerKind, POTS, type Pot, type Tier } from '@/lib/server/db/schema';

/**
 * What happens to reservations when their process dies: they vanish with the process, or they end when their lease
 * expires.
 */
export type ReservationLife = 'of the process' | { leaseMs: number };

/** Known deviations of a store from the rules. Once a deviation is fixed, a history that contains it fails. */
export interface KnownDifferences {
  /** True if every ledger row of a charge has the units, and not only the first row. Readers use the largest value. */
  repeatsUnits: boolean;
}

export interface ModelKey extends KeyFacts {
  id: number;
  revokedAt: number | null;
}

/** Ledger row without the balance after it, because that balance follows from the rows. */
export interface ModelRow {
  pot: Pot;
  kind: LedgerKind;
  amount: number;
  apiKeyId: number | null;
  resource: string;
  detail: string;
  units: number;
  requestId: string;
  createdAt: number;
}

interface RunningCall {
  request: ReserveRequest;
  hold: Hold;
  key: ModelKey | null;
  /** Time when the lease ends. */
  expiresAt: number;
  noted: Charge | null;
}

interface ModelAccount {
  tier: Tier;
  pots: Pots;
  minute: RunningMinute;
  /** Requests in the current minute, as of the last written charge. A restarted process begins with this count. */
  writtenMinute: RunningMinute;
  credits: { minute: number; credits: number }[];
  calls: Map<string, RunningCall>;
  kept: Map<string, KeptAnswer & { createdAt: number }>;
  allocations: Map<number, number>;
  rows: ModelRow[];
  keySpend: Map<string, KeySpend>;
  isWritten: boolean;
}

export type ModelAdmission =
  | { outcome: 'admitted'; remainingNanoUsd: number }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

/**
 * Computes ledger and balances from the billing rules alone, without a database, caches or parallel calls. A meter is
 * correct if it gives the same results.
 */
export class BooksModel {
  readonly accounts = new Map<number, ModelAccount>();
  readonly #keys = new Map<string, ModelKey>();

  constructor(
    private readonly limits: MeterLimits,
    private readonly idempotencyKeysMax: number,
    private readonly life: ReservationLife,
    private readonly known: KnownDifferences,
  ) {}

  open(accountId: number, tier: Tier): void {
    const nothing = {
      pots: EMPTY_POTS,
      minute: NO_REQUESTS,
      writtenMinute: NO_REQUESTS,
      credits: [],
      rows: [],
      isWritten: false,
    };
    this.accounts.set(accountId, {
      tier,
      ...nothing,
      calls: new Map(),
      kept: new Map(),
      allocations: new Map(),
      keySpend: new Map(),
    });
  }

  addKey(hash: string, key: ModelKey): void {
    this.#keys.set(hash, key);
  }

  revoke(hash: string, now: number): void {
    const key = this.#keys.get(hash);
    if (key && key.revokedAt === null) key.revokedAt = now;
  }

  setTier(accountId: number, tier: Tier): void {
    this.#account(accountId).tier = tier;
  }

  reserve(callId: string, request: ReserveRequest): ModelAdmission {
    const account = this.#account(request.caller.accountId);
    this.#expire(account, request.now);
    const key = request.keyHash === null ? null : (this.#keys.get(request.keyHash) ?? null);
    const verdict = judge(request, this.#factsOf(account, key, request));
    if (countsTowardMinute(request, verdict)) account.minute = withRequest(account.minute, request.now);
    if (verdict.outcome !== 'admitted') return verdict;
    account.pots = withHold(account.pots, verdict.hold);
    const expiresAt = this.life === 'of the process' ? Infinity : request.now + this.life.leaseMs;
    account.calls.set(callId, { request, hold: verdict.hold, key, expiresAt, noted: null });
    return { outcome: 'admitted', remainingNanoUsd: spendable(account.pots, request.caller.purse, request.now) };
  }

  /** Returns the result of a charge: 'gone' if the reservation no longer exists and nothing was charged for it. */
  settle(
    callId: string,
    { accountId, purse }: Caller,
    charge: Charge,
    now: number,
  ): { remainingNanoUsd: number; isUnkept?: true } | 'gone' {
    const account = this.#account(accountId);
    const call = account.calls.get(callId);
    const isUnkept = call?.request.idempotency && charge.replayBody === 'too-large';
    if (call) this.#charge(account, callId, call, charge, now);
    else if (!account.rows.some((row) => row.requestId === charge.requestId && row.kind === 'CHARGE')) return 'gone';
    return { remainingNanoUsd: purseTotal(account.pots, purse, now), ...(isUnkept && { isUnkept }) };
  }

  release(callId: string, accountId: number): void {
    const account = this.#account(accountId);
    const call = account.calls.get(callId);
    if (!call) return;
    account.calls.delete(callId);
    account.pots = withoutHold(account.pots, call.hold);
  }

  note(callId: string, accountId: number, charge: Charge, now: number): void {
    const call = this.#account(accountId).calls.get(callId);
    if (!call) return;
    call.noted = charge;
    if (this.life !== 'of the process') call.expiresAt = now + this.life.leaseMs;
  }

  credit(
    accountId: number,
    pot: Exclude<Pot, 'diem'>,
    kind: 'GRANT' | 'TOP_UP',
    amount: number,
    detail: string,
    requestId: string,
    now: number,
  ): void {
    const account = this.#account(accountId);
    account.pots = withCredit(account.pots, POTS.map((each) => (each === pot ? amount : 0)) as unknown as PotAmounts);
    if (account.tier === 'standard' && isMoneyPutIn({ kind, pot })) account.tier = 'paid';
    account.rows.push({
      pot,
      kind,
      amount,
      apiKeyId: null,
      resource: kind === 'GRANT' ? 'grant' : 'top-up',
      detail,
      units: 0,
      requestId,
      createdAt: now,
    });
  }

  allocate(accountId: number, amount: number, now: number): void {
    const account = this.#account(accountId);
    if (!isAllocationDue(account.pots, now)) return;
    this.#expire(account, now);
    if (account.allocations.has(epochAt(now))) return;
    account.allocations.set(epochAt(now), amount);
    const { pots, entries } = fixAllocation(account.pots, amount, now);
    account.pots = pots;
    const nothing = { apiKeyId: null, resource: 'allocation', units: 0, requestId: '' };
    for (const entry of entries)
      account.rows.push({
        pot: 'diem',
        kind: entry.kind,
        amount: entry.amount,
        detail: epochName(entry.epoch),
        createdAt: now,
        ...nothing,
      });
  }

  /** Returns the allocation that can be spent now. */
  allocation(accountId: number, now: number): { epoch: number; amountNanoUsd: number } | null {
    const { pots, allocations } = this.#account(accountId);
    const amountNanoUsd = allocations.get(pots.diemEpoch);
    return isAllocationDue(pots, now) || amountNanoUsd === undefined ? null : { epoch: pots.diemEpoch, amountNanoUsd };
  }

  spendable(accountId: number, purse: Purse, now: number): number {
    const account = this.#account(accountId);
    return spendable(
      dueCalls(account, now).reduce((pots, [, call]) => afterLease(pots, call), account.pots),
      purse,
      now,
    );
  }

  /** Ends expired leases. */
  sweep(now: number): void {
    for (const account of this.accounts.values()) this.#expire(account, now);
  }

  forget(now: number): void {
    for (const { kept } of this.accounts.values())
      for (const [key, { createdAt }] of kept) if (createdAt <= forgottenUntil(now)) kept.delete(key);
  }

  /**
   * Simulates the death and restart of the process that made all reservations. Changes nothing if reservations have
   * leases.
   */
  crash(now: number): void {
    if (this.life !== 'of the process') return;
    for (const account of this.accounts.values()) {
      const noted = [...account.calls].filter(([, call]) => call.noted !== null);
      account.calls.clear();
      account.pots = { ...account.pots, held: NO_AMOUNTS, heldCarried: 0 };
      account.minute = account.writtenMinute;
      for (const [callId, { request, key, noted: charge }] of noted.sort(([, a], [, b]) =>
        (a.noted as Charge).requestId < (b.noted as Charge).requestId ? -1 : 1,
      )) {
        const amountNanoUsd = Math.min(
          (charge as Charge).amountNanoUsd,
          spendable(account.pots, request.caller.purse, now),
        );
        const hold = planHold(account.pots, request.caller.purse, amountNanoUsd, now) as Hold;
        account.pots = withHold(account.pots, hold);
        this.#charge(
          account,
          callId,
          { request: { ...request, idempotency: null }, hold, key, expiresAt: 0, noted: null },
          { ...(charge as Charge), amountNanoUsd },
          now,
        );
      }
    }
  }

  /** Marks all charges as written. */
  written(): void {
    for (const account of this.accounts.values()) {
      if (account.isWritten) account.writtenMinute = account.minute;
      account.isWritten = false;
    }
  }

  #account(id: number): ModelAccount {
    const account = this.accounts.get(id);
    if (!account) throw new Error(`The model has no account ${id}.`);
    return account;
  }

  /** Ends expired leases: charges their checkpoints and releases the rest. Every admission begins with this. */
  #expire(account: ModelAccount, now: number): void {
    for (const [callId, call] of dueCalls(account, now)) {
      const { noted } = call;
      if (noted)
        this.#charge(
          account,
          callId,
          call,
          { ...noted, amountNanoUsd: clampToHold(call.hold, noted.amountNanoUsd), replayBody: null },
          now,
        );
      else this.release(callId, call.request.caller.accountId);
    }
  }

  #charge(
    account: ModelAccount,
    callId: string,
    { request, hold, key }: RunningCall,
    charge: Charge,
    now: number,
  ): void {
    const { resource, detail, requestId, replayBody } = charge;
    account.calls.delete(callId);
    const charged = chargedTo(hold, charge.amountNanoUsd);
    account.pots = withCharge(withoutHold(account.pots, hold), hold, charged);
    for (const { pot, amount, units } of chargeEntries(charged, charge)) {
      const unitsOfRow = this.known.repeatsUnits ? (charge.units ?? charge.credits) : units;
      account.rows.push({
        pot,
        kind: 'CHARGE',
        amount: -amount,
        apiKeyId: request.caller.apiKeyId,
        resource,
        detail,
        units: unitsOfRow,
        requestId,
        createdAt: now,
      });
    }
    account.credits.push({ minute: creditMinute(now), credits: charge.credits });
    if (key && hasLimits(key)) {
      const name = `${key.id} ${periodName(key.limitPeriod, now)}`;
      account.keySpend.set(name, plusSpend(account.keySpend.get(name) ?? NO_SPEND, keySpendOf(charged)));
    }
    if (request.idempotency && replayBody) {
      const isKept = Number(replayBody !== 'too-large');
      account.kept.set(request.idempotency.key, {
        fingerprint: request.idempotency.fingerprint,
        body: replayBody === 'too-large' ? new Uint8Array() : replayBody,
        isKept,
        createdAt: now,
      });
    }
    account.isWritten = true;
  }

  #factsOf(account: ModelAccount, key: ModelKey | null, { now }: ReserveRequest): CallerFacts {
    const running = [...account.calls.values()];
    return {
      pots: account.pots,
      minute: account.minute,
      credits: creditsOf(account),
      requestsPerMinute: this.limits.requestsPerMinute[account.tier],
      creditsPerDay: this.limits.creditsPerDay[account.tier],
      key,
      keyUsed: () => {
        const holds = running.filter((call) => call.key?.id === key?.id).map(({ hold }) => keySpendOf(hold.amounts));
        const spent = key && account.keySpend.get(`${key.id} ${periodName(key.limitPeriod, now)}`);
        return holds.reduce(plusSpend, spent || NO_SPEND);
      },
      isRunning: (idempotencyKey) => running.some(({ request }) => request.idempotency?.key === idempotencyKey),
      kept: (idempotencyKey) => {
        const kept = account.kept.get(idempotencyKey);
        return kept && kept.createdAt > forgottenUntil(now) ? kept : undefined;
      },
      idempotencyKeys: () => account.kept.size,
      idempotencyKeysMax: this.idempotencyKeysMax,
    };
  }
}

function plusSpend(one: KeySpend, other: KeySpend): KeySpend {
  return { usd: one.usd + other.usd, diem: one.diem + other.diem, prepaid: one.prepaid + other.prepaid };
}

function dueCalls({ calls }: ModelAccount, now: number): [string, RunningCall][] {
  return [...calls].filter(([, { expiresAt }]) => expiresAt <= now);
}

/** Returns the balances after a lease has ended. */
function afterLease(pots: Pots, { hold, noted }: RunningCall): Pots {
  return withCharge(withoutHold(pots, hold), hold, chargedTo(hold, clampToHold(hold, noted?.amountNanoUsd ?? 0)));
}

function creditsOf({ credits, calls }: ModelAccount): CallerFacts['credits'] {
  const counted = (now: number) =>
    credits.filter(({ minute }) => minute >= oldestCreditMinute(now)).sort((a, b) => a.minute - b.minute);
  return {
    charged: (now) => counted(now).reduce((sum, each) => sum + each.credits, 0),
    held: [...calls.values()].reduce((sum, { request }) => sum + request.maxCredits, 0),
    freeAt: (now, wanted) => {
      let toFree = wanted;
      for (const each of counted(now)) if ((toFree -= each.credits) <= 0) return creditsForgottenAt(each.minute);
      return freeAtLast(now);
    },
  };
}
