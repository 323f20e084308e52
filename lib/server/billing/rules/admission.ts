import type { RunningMinute } from '@/lib/protocol/running-minute';
import type { Refusal, ReserveRequest } from '../meter';
import { type CountedCredits, creditRefusal } from './credit-cap';
import { type KeptAnswer, repeated } from './idempotency';
import { hasLimits, keyLimitRefusal, type KeyLimits, type KeySpend } from './key-limit';
import { minuteRefusal } from './minute-cap';
import { type Hold, planHold, type Pots, spendable } from './pots';

/** What is known of a caller whose call asks to be admitted. Its methods are asked no further than the first refusal. */
export interface CallerFacts {
  readonly pots: Pots;
  readonly minute: RunningMinute;
  readonly credits: CountedCredits;
  /** Caps of its tier; null for none. */
  readonly requestsPerMinute: number | null;
  readonly creditsPerDay: number | null;
  /** The key with the request's hash; null where there is none. */
  readonly key: KeyFacts | null;
  /** What of a key's limits is used: spent in the period that runs at the request's time, and held. */
  keyUsed(): KeySpend;
  /** Whether a call under this idempotency key is running. */
  isRunning(idempotencyKey: string): boolean;
  /** What is kept under it that still counts. */
  kept(idempotencyKey: string): KeptAnswer | undefined;
  /** Idempotency keys that something is kept under, those that count no more included until they are forgotten. */
  idempotencyKeys(): number;
  readonly idempotencyKeysMax: number;
}

export interface KeyFacts extends KeyLimits {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export type Verdict =
  /** May be made: holds this. */
  | { outcome: 'admitted'; hold: Hold }
  /** Was made before. */
  | { outcome: 'replayed'; body: Uint8Array }
  | { outcome: 'refused'; refusal: Refusal };

/**
 * Whether a call may be made. The first reason to refuse it is the one that is told, in this order: the key is revoked
 * (or unknown), or has expired; the minute's requests; a call under the same idempotency key is running, or was
 * answered (which needs no balance), or there are too many such keys; the credits of 24 hours; the balance; the key's
 * own limit. Both caps are the RPC proxy's: other calls neither count toward them nor are refused for them.
 */
export function judge(request: ReserveRequest, caller: CallerFacts): Verdict {
  const refusal =
    refuseKey(request, caller.key) ??
    (request.uncapped ? null : minuteRefusal(caller.minute, caller.requestsPerMinute, request.now));
  if (refusal) return { outcome: 'refused', refusal };
  return judgeRepetition(request, caller) ?? judgeCost(request, caller);
}

/** Whether a call counts toward its caller's minute: one that is made, and one whose answer is kept, or was. */
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
  // A purse that was found open for the key, and is closed to it by now, has a limit of nothing.
  const overLimit =
    key && (hasLimits(key) || purse === 'all') ? keyLimitRefusal(key, caller.keyUsed(), hold.amounts) : null;
  return overLimit ? { outcome: 'refused', refusal: overLimit } : { outcome: 'admitted', hold };
}
