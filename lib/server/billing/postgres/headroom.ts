import { type Caller, PURSES } from '../../auth/caller';
import type { MeterLimits, ReserveRequest } from '../meter';

const ENTRIES_MAX = 50_000;

export function rememberNewest<K, V>(entries: Map<K, V>, key: K, value: V): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= ENTRIES_MAX) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

const AHEAD_MAX = 8;
/**
 * A caller's calls that run before admission may together use 1/8 of the smallest cap on requests. Each such call may
 * use 1/64 of the smallest cap on credits.
 */
const PART_OF_REQUESTS = 8;
const PART_OF_CREDITS = 64;
/** Longest age of cached facts about a caller. */
const KNOWN_MS = 60_000;
/** For this long after a database failure, all calls wait for admission, because their charge may fail. */
const PAUSE_MS = 5_000;

/**
 * Decides which calls may run before admission. Their callers must be far from every limit. One statement then admits
 * and charges such a call before its answer is sent. If another gateway spent the balance meanwhile, this gateway bears
 * the cost, so the number of such calls is limited. Times are milliseconds of a monotonic clock.
 */
export class Headroom {
  #aheadMax = 0;
  #creditsMax = 0;
  /** Maximum cost in nano-USD of a call that starts before the database has admitted it, by account and purse. */
  readonly #rooms = new Map<number, { roomNanoUsd: number; knownAt: number }>();
  readonly #ahead = new Map<number, number>();
  #pausedAt = -Infinity;

  constructor(limits: MeterLimits) {
    this.takeLimits(limits);
  }

  takeLimits({ requestsPerMinute, creditsPerDay }: MeterLimits): void {
    this.#aheadMax = Math.min(AHEAD_MAX, Math.floor(smallest(requestsPerMinute) / PART_OF_REQUESTS));
    this.#creditsMax = smallest(creditsPerDay) / PART_OF_CREDITS;
  }

  /** Returns whether a call may run before admission. If so, `ended` must be called once the call has ended. */
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

  learn({ accountId, purse }: Pick<Caller, 'accountId' | 'purse'>, roomNanoUsd: number, now: number): void {
    rememberNewest(this.#rooms, purseOf({ accountId, purse }), { roomNanoUsd, knownAt: now });
  }

  /**
   * Records that a caller is near a limit. This applies to all purses of the caller, because the limit may concern any
   * balance.
   */
  close({ accountId }: Pick<Caller, 'accountId'>, now: number): void {
    for (const purse of PURSES) this.learn({ accountId, purse }, 0, now);
  }

  pause(now: number): void {
    this.#pausedAt = now;
  }
}

function purseOf({ accountId, purse }: Pick<Caller, 'accountId' | 'purse'>): number {
  return PURSES.length * accountId + PURSES.indexOf(purse);
}

function smallest(caps: Readonly<Record<string, number | null>>): number {
  return Math.min(...Object.values(caps).map((cap) => cap ?? Infinity));
}
