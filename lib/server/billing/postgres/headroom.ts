import { type Caller, PURSES } from '../../auth/caller';
import type { Tier } from '../../db/schema';
import type { MeterLimits, ReserveRequest } from '../meter';
import { rememberNewest, touch } from './remembered';

const AHEAD_MAX = 128;
/**
 * Limits on a caller's calls that run before admission. All of them together: 8 times the cost of the dearest one, 1/8
 * of the cap on requests, and 1/8 of the cap on credits. Each of them: 1/64 of the cap on credits. If the caller's tier
 * is unknown, the smallest caps apply.
 */
const DEAREST_MAX = 8;
const PART_OF_REQUESTS = 8;
const PART_OF_CREDITS = 64;
const KNOWN_MS = 60_000;
/** For this long after a database failure, all calls wait for admission, because their charge may fail. */
const PAUSE_MS = 5_000;

/**
 * Decides which calls may run before admission. Their callers must be far from every limit. Before such a call's answer
 * is sent, one statement admits and charges the call. If another gateway spent the balance meanwhile, this gateway
 * bears the cost, so the total cost of such calls is limited. Times are milliseconds of a monotonic clock.
 */
export class Headroom {
  #limits: MeterLimits;
  /** Maximum cost in nano-USD of one call that runs before admission, by account and `Caller.purse`. */
  readonly #rooms = new Map<number, { roomNanoUsd: number; knownAt: number; tier: Tier | null }>();
  /** Running calls that are not admitted yet: their number and maximum cost, by account. */
  readonly #ahead = new Map<number, { calls: number; nanoUsd: number; credits: number }>();
  #pausedAt = -Infinity;

  constructor(limits: MeterLimits) {
    this.#limits = limits;
  }

  takeLimits(limits: MeterLimits): void {
    this.#limits = limits;
  }

  /** Returns whether a call may run before admission. If so, `ended` must be called once the call has ended. */
  admits({ caller, maxNanoUsd, maxCredits, deferrable, idempotency }: ReserveRequest, now: number): boolean {
    if (!deferrable || idempotency !== null || now - this.#pausedAt < PAUSE_MS) return false;
    const known = this.#rooms.get(purseOf(caller));
    if (!known || now - known.knownAt >= KNOWN_MS || maxNanoUsd > known.roomNanoUsd) return false;
    const creditsMax = capOf(this.#limits.creditsPerDay, known.tier) / PART_OF_CREDITS;
    const aheadMax = Math.min(
      AHEAD_MAX,
      Math.floor(capOf(this.#limits.requestsPerMinute, known.tier) / PART_OF_REQUESTS),
    );
    const ahead = this.#ahead.get(caller.accountId) ?? { calls: 0, nanoUsd: 0, credits: 0 };
    if (maxCredits > creditsMax || ahead.credits + maxCredits > DEAREST_MAX * creditsMax) return false;
    if (ahead.calls >= aheadMax) return false;
    if (ahead.nanoUsd + maxNanoUsd > DEAREST_MAX * known.roomNanoUsd) return false;
    touch(this.#rooms, purseOf(caller), known);
    ahead.calls++;
    ahead.nanoUsd += maxNanoUsd;
    ahead.credits += maxCredits;
    this.#ahead.set(caller.accountId, ahead);
    return true;
  }

  ended({ caller: { accountId }, maxNanoUsd, maxCredits }: ReserveRequest): void {
    const ahead = this.#ahead.get(accountId);
    if (!ahead) return;
    ahead.calls--;
    ahead.nanoUsd -= maxNanoUsd;
    ahead.credits -= maxCredits;
    if (ahead.calls === 0) this.#ahead.delete(accountId);
  }

  learn(caller: Pick<Caller, 'accountId' | 'purse'>, roomNanoUsd: number, now: number, tier: Tier | null = null): void {
    const purse = purseOf(caller);
    const known = { roomNanoUsd, knownAt: now, tier: tier ?? this.#rooms.get(purse)?.tier ?? null };
    rememberNewest(this.#rooms, purse, known);
  }

  /** Records that a caller is near a limit, which may concern any of the caller's balances. */
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

function capOf(caps: Readonly<Record<Tier, number | null>>, tier: Tier | null): number {
  if (tier !== null) return caps[tier] ?? Infinity;
  return Math.min(...Object.values(caps).map((cap) => cap ?? Infinity));
}
