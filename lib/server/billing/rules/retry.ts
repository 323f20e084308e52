import type { Refusal } from '../meter';

/** Retry delay while another call with the same idempotency key, or of the same caller, is running. */
const COLLISION_MS = 1_000;
/** Retry delay for a caller with too many idempotency keys: expired keys are deleted at this interval. */
const KEY_CAP_MS = 15 * 60_000;

/** Cap, remaining amount, and reset time in Unix milliseconds, for X-RateLimit-* headers and Retry-After of a 429. */
interface Cap {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** Returns the cap that a refused caller has to wait for; null if waiting does not help (spec, "Errors"). */
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
