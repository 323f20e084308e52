import { type Caller, PURSES } from '../../auth/caller';
import type { MeterLimits, ReserveRequest } from '../meter';
import { rememberNewest } from './newest';

/** Calls of one caller that may run at once before they are admitted. Further ones are admitted first. */
const AHEAD_MAX = 8;
/** Those calls are at most such a part of the smallest cap of requests, and each of the smallest cap of credits. */
const PART_OF_REQUESTS = 8;
const PART_OF_CREDITS = 64;
/** How old may be what is known of a caller. */
const KNOWN_MS = 60_000;
/** For so long after the database was away, calls are admitted first: a caller then hears at once that it is. */
const PAUSE_MS = 5_000;

/**
 * Which calls may be made before they are admitted, because their callers are far from every limit: then one statement
 * admits and charges them afterwards, instead of one before and one after, and their answers are withheld until it did.
 * Whoever comes near a limit is admitted first. What a caller can have made for nothing, because another gateway spent
 * what was left, is bounded by the number of such calls at once. Times are milliseconds of one monotonic clock.
 */
export class Headroom {
  #aheadMax = 0;
  #creditsMax = 0;
  /** How much a call may cost, nano-USD, by account and purse. */
  readonly #rooms = new Map<number, { roomNanoUsd: number; knownAt: number }>();
  /** Calls that run, by account. */
  readonly #ahead = new Map<number, number>();
  #pausedAt = -Infinity;

  constructor(limits: MeterLimits) {
    this.takeLimits(limits);
  }

  takeLimits({ requestsPerMinute, creditsPerDay }: MeterLimits): void {
    this.#aheadMax = Math.min(AHEAD_MAX, Math.floor(smallest(requestsPerMinute) / PART_OF_REQUESTS));
    this.#creditsMax = smallest(creditsPerDay) / PART_OF_CREDITS;
  }

  /** Whether a call may be made first; then `ended` must follow. */
  admits({ caller, maxNanoUsd, maxCredits, deferrable, idempotency }: ReserveRequest, now: number): boolean {
    if (!deferrable || idempotency !== null || maxCredits > this.#creditsMax || now - this.#pausedAt < PAUSE_MS)
      return false;
    const ahead = this.#ahead.get(caller.accountId) ?? 0;
    if (ahead >= this.#aheadMax) return false;
    const known = this.#rooms.get(purseOf(caller));
    if (!known || now - known.knownAt >= KNOWN_MS || maxNanoUsd > known.roomNanoUsd) return false;
    this.#ahead.set(caller.accountId, ahead + 1);
    return true;
  }

  ended({ caller: { accountId } }: ReserveRequest): void {
    const ahead = (this.#ahead.get(accountId) ?? 1) - 1;
    if (ahead > 0) this.#ahead.set(accountId, ahead);
    else this.#ahead.delete(accountId);
  }

  /** What the database said of a purse. */
  learn({ accountId, purse }: Pick<Caller, 'accountId' | 'purse'>, roomNanoUsd: number, now: number): void {
    rememberNewest(this.#rooms, purseOf({ accountId, purse }), { roomNanoUsd, knownAt: now });
  }

  /** A caller is near a limit, which may be one of every purse. */
  close({ accountId }: Pick<Caller, 'accountId'>, now: number): void {
    for (const purse of PURSES) this.learn({ accountId, purse }, 0, now);
  }

  /** The database was away. */
  pause(now: number): void {
    this.#pausedAt = now;
  }
}

/** Each purse of each account as a number. */
function purseOf({ accountId, purse }: Pick<Caller, 'accountId' | 'purse'>): number {
  return PURSES.length * accountId + PURSES.indexOf(purse);
}

function smallest(caps: Readonly<Record<string, number | null>>): number {
  return Math.min(...Object.values(caps).map((cap) => cap ?? Infinity));
}
