import type { Refusal } from '../meter';

/** A running call under the same key, or for the same caller, ends soon. */
const COLLISION_MS = 1_000;
/** Idempotency keys become free as they are 24 hours old, and are counted anew this often. */
const KEY_CAP_MS = 15 * 60_000;

/** The cap, what is left of it, and when it resets, Unix milliseconds: the X-RateLimit-* headers and Retry-After of a 429. */
export interface Cap {
  limit: number;
  remaining: number;
  resetAt: number;
}

/**
 * What a refused caller is told to wait for (spec, "Errors": 429 has X-RateLimit-* headers). Null where waiting is no
 * help: the answer is no 429.
 */
export function capOf(refusal: Refusal, now: number): Cap | null {
  switch (refusal.reason) {
    case 'minute-cap':
    case 'credit-cap':
      return { limit: refusal.limit, remaining: refusal.remaining, resetAt: refusal.resetAt };
    case 'collision':
      return { limit: 1, remaining: 0, resetAt: now + COLLISION_MS };
    case 'key-cap':
      return { limit: refusal.limit, remaining: 0, resetAt: now + KEY_CAP_MS };
    default:
      return null;
  }
}
