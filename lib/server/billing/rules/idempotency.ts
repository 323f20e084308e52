import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Refusal } from '../meter';

export interface KeptAnswer {
  readonly fingerprint: string;
  readonly body: Uint8Array;
  /** 0 if only the call and its charge are recorded, without the answer. */
  readonly isKept: number;
}

/**
 * Returns the time in Unix milliseconds before which a stored answer has expired at `now`. Keys may be reused after 24
 * hours (spec, "States and transitions").
 */
export function forgottenUntil(now: number): number {
  return now - DAY_MS;
}

/**
 * Returns the outcome of a call whose idempotency key has a record (spec, RPC proxy rule 6). The same request gets the
 * stored answer. Another request is refused. All credentials of an account share the account's records.
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
