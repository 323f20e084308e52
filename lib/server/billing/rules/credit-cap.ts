import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Refusal } from '../meter';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = DAY_MS / MINUTE_MS;

/** The minute that credits charged at a time are counted in: minutes of UTC since 1970. */
export function creditMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/**
 * The oldest minute whose credits count at a time. A minute counts until all of it is older than 24 hours, so the cap is
 * never exceeded in any 24 hours, at the price of being up to a minute late to forget.
 */
export function oldestCreditMinute(atMs: number): number {
  return creditMinute(atMs) - WINDOW_MINUTES;
}

/** When the credits of a minute count no more, Unix milliseconds. */
export function creditsForgottenAt(minute: number): number {
  return (minute + WINDOW_MINUTES + 1) * MINUTE_MS;
}

/** When a minute begins, Unix milliseconds. */
export function creditMinuteStart(minute: number): number {
  return minute * MINUTE_MS;
}

/** What counts toward a caller's credits of 24 hours. */
export interface CountedCredits {
  /** Charged in the minutes that count at `now`. */
  charged(now: number): number;
  /** Held by running calls: the most that they can be charged. */
  readonly held: number;
  /** When at least so many of the charged ones will have been forgotten, Unix milliseconds. */
  freeAt(now: number, credits: number): number;
}

/**
 * Why a call of the RPC proxy goes beyond its caller's credits of 24 hours, or null (spec, "Limits": credits per rolling
 * 24 hours).
 *
 * @param limit of the caller's tier; null for none
 * @param maxCredits the most that the call can be charged
 */
export function creditRefusal(
  credits: CountedCredits,
  limit: number | null,
  maxCredits: number,
  now: number,
): Refusal | null {
  if (limit === null) return null;
  const remaining = limit - credits.charged(now) - credits.held;
  if (maxCredits <= remaining) return null;
  return {
    reason: 'credit-cap',
    limit,
    remaining: Math.max(0, remaining),
    resetAt: credits.freeAt(now, maxCredits - remaining),
  };
}

/** When enough credits will be free where even forgetting all of them is not enough: in 24 hours. */
export function freeAtLast(now: number): number {
  return now + DAY_MS;
}
