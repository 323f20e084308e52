import type { ReserveRequest } from '../meter';
import { rememberNewest } from './newest';

/** Calls of one caller that may run at once before they are admitted. Further ones are admitted first. */
const AHEAD_MAX = 8;
/** How old may be what is known of a caller. */
const KNOWN_MS = 60_000;
/** For so long after the database was away, calls are admitted first: a caller then hears at once that it is. */
const PAUSE_MS = 5_000;

/**
 * Which calls may be made before they are admitted, because their callers are far from every limit: then one statement
 * admits and charges them afterwards, instead of one before and one after, and their answers are withheld until it did.
 * Who turns out to be close to a limit is admitted first for a minute. What a
 * caller can have made for nothing is bounded by the number of such calls at once.
 */
export class Headroom {
  /** Of a key, or of a wallet that signed in: how much a call may cost, nano-USD. */
  readonly #rooms = new Map<string | number, { roomNanoUsd: number; knownAt: number }>();
  /** Calls that run, by account. */
  readonly #ahead = new Map<number, number>();
  #pausedAt = -Infinity;

  /**
   * Whether a call may be made first; then `ended` must follow.
   * @param spendableNanoUsd what the caller could spend as far as is known
   */
  admits({ caller, keyHash, maxNanoUsd, deferrable, idempotency }: ReserveRequest, spendableNanoUsd: number, now: number): boolean {
    if (!deferrable || idempotency !== null || now - this.#pausedAt < PAUSE_MS) return false;
    const { accountId } = caller;
    const ahead = this.#ahead.get(accountId) ?? 0;
    if (ahead >= AHEAD_MAX) return false;
    const known = this.#rooms.get(keyHash ?? accountId);
    const roomNanoUsd = known && now - known.knownAt < KNOWN_MS ? known.roomNanoUsd : spendableNanoUsd / 64;
    if (maxNanoUsd > roomNanoUsd) return false;
    this.#ahead.set(accountId, ahead + 1);
    return true;
  }

  ended({ caller: { accountId } }: ReserveRequest): void {
    const ahead = (this.#ahead.get(accountId) ?? 1) - 1;
    if (ahead > 0) this.#ahead.set(accountId, ahead);
    else this.#ahead.delete(accountId);
  }

  /** The database was away. */
  pause(now: number): void {
    this.#pausedAt = now;
  }

  /** What the database said of a caller. @param roomNanoUsd 0 where it refused. */
  learn({ caller, keyHash }: ReserveRequest, roomNanoUsd: number, now: number): void {
    rememberNewest(this.#rooms, keyHash ?? caller.accountId, { roomNanoUsd, knownAt: now });
  }
}
