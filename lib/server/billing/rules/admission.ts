import { minuteEnd, requestsIn, type RunningMinute } from '@/lib/protocol/running-minute';
import type { Refusal, ReserveRequest } from '../meter';
import { type CountedCredits, creditRefusal } from './credit-cap';
import { type KeptAnswer, repeated } from './idempotency';
import { hasLimits, keyLimitRefusal, type KeyLimits, type KeySpend } from './key-limit';
import { type Hold, planHold, type Pots, spendable } from './pots';

/** Facts about a caller. `judge` reads only the facts that it needs. */
export interface CallerFacts {
  readonly pots: Pots;
  readonly minute: RunningMinute;
  readonly credits: CountedCredits;
  readonly requestsPerMinute: number | null;
  readonly creditsPerDay: number | null;
  /** API key whose hash is in the request; null if unknown. */
  readonly key: KeyFacts | null;
  keyUsed(): KeySpend;
  isRunning(idempotencyKey: string): boolean;
  kept(idempotencyKey: string): KeptAnswer | undefined;
  /** Number of stored idempotency keys, including expired ones that are not deleted yet. */
  idempotencyKeys(): number;
  readonly idempotencyKeysMax: number;
}

export interface KeyFacts extends KeyLimits {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export type Verdict =
  | { outcome: 'admitted'; hold: Hold }
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

/**
 * Returns whether a call may be made, or the first reason against it, checked in this order: key revoked, unknown or
 * expired; requests per minute; idempotency key (its call is running or was answered, or the caller has too many keys);
 * credits of 24 hours; balance; the key's own limit. A stored answer needs no balance. The caps of requests and credits
 * apply only to the RPC proxy.
 */
export function judge(request: ReserveRequest, caller: CallerFacts): Verdict {
  const refusal =
    refuseKey(request, caller.key) ??
    (request.uncapped ? null : minuteRefusal(caller.minute, caller.requestsPerMinute, request.now));
  if (refusal) return { outcome: 'refused', refusal };
  return judgeRepetition(request, caller) ?? judgeCost(request, caller);
}

/**
 * Returns whether a call counts toward its caller's requests per minute. Of refused calls, only repetitions without a
 * stored answer count.
 */
export function countsTowardMinute({ uncapped }: ReserveRequest, verdict: Verdict): boolean {
  return !uncapped && (verdict.outcome !== 'refused' || verdict.refusal.reason === 'answer-not-kept');
}

function refuseKey({ keyHash, now }: ReserveRequest, key: KeyFacts | null): Refusal | null {
  if (keyHash === null) return null;
  if (!key || key.revokedAt !== null) return { reason: 'key-revoked' };
  return key.expiresAt !== null && key.expiresAt <= now ? { reason: 'key-expired' } : null;
}

function judgeRepetition({ idempotency }: ReserveRequest, caller: CallerFacts): Verdict | null {
  if (!idempotency) return null;
  if (caller.isRunning(idempotency.key))
    return { outcome: 'refused', refusal: { reason: 'collision', kind: 'idempotency-key' } };
  const kept = caller.kept(idempotency.key);
  if (kept) return repeated(kept, idempotency.fingerprint);
  if (caller.idempotencyKeys() < caller.idempotencyKeysMax) return null;
  return { outcome: 'refused', refusal: { reason: 'key-cap', limit: caller.idempotencyKeysMax } };
}

function judgeCost(
  { caller: { purse }, maxNanoUsd, maxCredits, uncapped, now }: ReserveRequest,
  caller: CallerFacts,
): Verdict {
  const { pots, key } = caller;
  const overCap = uncapped ? null : creditRefusal(caller.credits, caller.creditsPerDay, maxCredits, now);
  if (overCap) return { outcome: 'refused', refusal: overCap };
  const hold = planHold(pots, purse, maxNanoUsd, now);
  if (!hold)
    return { outcome: 'refused', refusal: { reason: 'balance', spendableNanoUsd: spendable(pots, purse, now) } };
  // The prepaid limit is zero if the owner removed the prepaid balance from the key after authentication.
  const overLimit =
    key && (hasLimits(key) || purse === 'all') ? keyLimitRefusal(key, caller.keyUsed(), hold.amounts) : null;
  return overLimit ? { outcome: 'refused', refusal: overLimit } : { outcome: 'admitted', hold };
}

/**
 * Returns why a call exceeds its caller's requests per minute, or null (spec, "Limits"). A batch counts as one request.
 * @param limit cap of the caller's tier; null if none
 */
export function minuteRefusal(minute: RunningMinute, limit: number | null, now: number): Refusal | null {
  if (limit === null || requestsIn(minute, now) < limit) return null;
  return { reason: 'minute-cap', limit, remaining: 0, resetAt: minuteEnd(minute) };
}
