import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Refusal } from '../meter';

/** What is kept under an idempotency key of a caller. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly body: Uint8Array;
  /** 0 where only the fact is kept that the call was made and charged. */
  readonly isKept: number;
}

/**
 * Answers that were kept at this time or before count no more at `now`, Unix milliseconds: a key may be used again after
 * 24 hours (spec, "States and transitions").
 */
export function forgottenUntil(now: number): number {
  return now - DAY_MS;
}

/**
 * What a call under a key gets where something is kept under it (spec, RPC proxy rule 6): the same request its answer
 * again, another one a refusal. The caller is the account, whichever of its keys or its wallet calls.
 */
export function repeated(
  kept: KeptAnswer,
  fingerprint: string,
): { outcome: 'replayed'; body: Uint8Array } | { outcome: 'refused'; refusal: Refusal } {
  if (kept.fingerprint !== fingerprint) return { outcome: 'refused', refusal: { reason: 'key-reused' } };
  return kept.isKept
    ? { outcome: 'replayed', body: kept.body }
    : { outcome: 'refused', refusal: { reason: 'answer-not-kept' } };
}
