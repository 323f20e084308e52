import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Refusal } from '../meter';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = DAY_MS / MINUTE_MS;

/** Returns the UTC minute since 1970 in which credits charged at `atMs` count. */
export function creditMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/**
 * Returns the oldest minute that counts at `atMs`. A minute counts until all of it is older than 24 hours, so credits
 * expire up to a minute late.
 */
export function oldestCreditMinute(atMs: number): number {
  return creditMinute(atMs) - WINDOW_MINUTES;
}

/** Returns when a minute's credits expire, Unix milliseconds. */
export function creditsForgottenAt(minute: number): number {
  return (minute + WINDOW_MINUTES + 1) * MINUTE_MS;
}

export function creditMinuteStart(minute: number): number {
  return minute * MINUTE_MS;
}

export interface CountedCredits {
  /** Credits charged in the minutes that count at `now`. */
  charged(now: number): number;
  /** Maximum credits of running calls. */
  readonly held: number;
  /** Returns when at least `credits` charged credits will have expired, Unix milliseconds. */
  freeAt(now: number, credits: number): number;
}

/**
 * Returns why an RPC call exceeds its caller's credits per rolling 24 hours, or null (spec, "Limits").
 * @param limit cap of the caller's tier; null if none
 * @param maxCredits maximum charge of the call
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

/** Returns the reset time for a call that would exceed the cap even after all counted credits expire. */
export function freeAtLast(now: number): number {
  return now + DAY_MS;
}
