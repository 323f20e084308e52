import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import type { Refusal } from '../meter';

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = DAY_MS / MINUTE_MS;

/** Returns the UTC minute since 1970 to which credits charged at `atMs` belong. */
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

/** Returns when a minute's credits expire, in Unix milliseconds. */
export function creditsForgottenAt(minute: number): number {
  return (minute + WINDOW_MINUTES + 1) * MINUTE_MS;
}

export function creditMinuteStart(minute: number): number {
  return minute * MINUTE_MS;
}

export interface CountedCredits {
  /** Credits charged in the minutes that count at `now`. */
  charged(now: number): number;
  /** Sum of running calls' maximum credits. */
  readonly held: number;
  /** Returns when at least `credits` of the charged credits will have expired, in Unix milliseconds. */
  freeAt(now: number, credits: number): number;
}

/**
 * Returns why an RPC call exceeds its caller's credits per rolling 24 hours; null if it does not (spec, "Limits").
 * @param limit cap of the caller's tier; null if none
 * @param maxCredits maximum credits of the call
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

/** Returns the reset time for a call that alone exceeds the cap: the time when all counted credits have expired. */
export function freeAtLast(now: number): number {
  return now + DAY_MS;
}

/** Maximum number of expired minutes to keep. They count again if the clock steps back. */
const FORGOTTEN_MAX = 1_440;

/**
 * Sums the credits of the last 24 hours by minute. Adding a call takes the same time, however many calls were added
 * before.
 */
export class RollingCredits implements CountedCredits {
  held = 0;
  /**
   * Minutes in ascending order. `#first` is the index of the oldest minute that still counts toward the cap. `#total`
   * is the sum of `#credits` from that index on.
   */
  readonly #minutes: number[] = [];
  readonly #credits: number[] = [];
  #first = 0;
  #total = 0;

  /** Adds credits of a call that ended at `now`. Negative credits undo earlier ones. */
  add(now: number, credits: number): void {
    const minute = creditMinute(now);
    let at = this.#minutes.length;
    // Later minutes exist if the clock stepped back, or old charges are read.
    while (at > 0 && (this.#minutes[at - 1] as number) >= minute) at--;
    if (this.#minutes[at] !== minute) {
      this.#minutes.splice(at, 0, minute);
      this.#credits.splice(at, 0, 0);
      if (at < this.#first) this.#first++;
    }
    this.#credits[at] = (this.#credits[at] as number) + credits;
    if (at >= this.#first) this.#total += credits;
  }

  charged(now: number): number {
    const oldest = oldestCreditMinute(now);
    while (this.#first < this.#minutes.length && (this.#minutes[this.#first] as number) < oldest) {
      this.#total -= this.#credits[this.#first] as number;
      this.#first++;
    }
    while (this.#first > 0 && (this.#minutes[this.#first - 1] as number) >= oldest) {
      this.#first--;
      this.#total += this.#credits[this.#first] as number;
    }
    if (this.#first > FORGOTTEN_MAX) {
      this.#minutes.splice(0, this.#first);
      this.#credits.splice(0, this.#first);
      this.#first = 0;
    }
    return this.#total;
  }

  freeAt(now: number, credits: number): number {
    let toFree = credits;
    for (let i = this.#first; i < this.#minutes.length; i++) {
      toFree -= this.#credits[i] as number;
      if (toFree <= 0) return creditsForgottenAt(this.#minutes[i] as number);
    }
    return freeAtLast(now);
  }
}
