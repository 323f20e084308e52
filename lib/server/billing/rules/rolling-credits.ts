import { type CountedCredits, creditMinute, creditsForgottenAt, freeAtLast, oldestCreditMinute } from './credit-cap';

/** So many minutes that count no more are kept before they are dropped: a clock that steps back counts them again. */
const FORGOTTEN_MAX = 1_440;

/** The credits of the last 24 hours, by the minute, at a constant cost for each call. */
export class RollingCredits implements CountedCredits {
  /** By running calls. */
  held = 0;
  /** In ascending order of minute; `#first` is the oldest that counts, and `#total` the sum from there on. */
  readonly #minutes: number[] = [];
  readonly #credits: number[] = [];
  #first = 0;
  #total = 0;

  /** Adds credits of a call that ended at `now`. Negative credits take back what was added. */
  add(now: number, credits: number): void {
    const minute = creditMinute(now);
    let at = this.#minutes.length;
    // Only after a clock that stepped back there is a later one.
    while (at > 0 && (this.#minutes[at - 1] as number) >= minute) at--;
    if (this.#minutes[at] !== minute) {
      this.#minutes.splice(at, 0, minute);
      this.#credits.splice(at, 0, 0);
      if (at < this.#first) this.#first++;
    }
    this.#credits[at] = (this.#credits[at] as number) + credits;
    if (at >= this.#first) this.#total += credits;
  }

  /** The credits that count at `now`. */
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

  /** When at least `credits` of what counts at `now` will have been forgotten, in Unix milliseconds. */
  freeAt(now: number, credits: number): number {
    let toFree = credits;
    for (let i = this.#first; i < this.#minutes.length; i++) {
      toFree -= this.#credits[i] as number;
      if (toFree <= 0) return creditsForgottenAt(this.#minutes[i] as number);
    }
    return freeAtLast(now);
  }
}
