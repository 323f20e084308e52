import { type CountedCredits, creditMinute, creditsForgottenAt, freeAtLast, oldestCreditMinute } from './credit-cap';

/** Maximum number of expired minutes that are kept, in case the clock steps back. */
const FORGOTTEN_MAX = 1_440;

/** Sums the credits of the last 24 hours by minute, at constant cost per call. */
export class RollingCredits implements CountedCredits {
  held = 0;
  /**
   * Minutes in ascending order. `#first` is the index of the oldest minute that counts, and `#total` the sum from
   * there.
   */
  readonly #minutes: number[] = [];
  readonly #credits: number[] = [];
  #first = 0;
  #total = 0;

  /** Adds credits of a call that ended at `now`. Negative credits undo earlier ones. */
  add(now: number, credits: number): void {
    const minute = creditMinute(now);
    let at = this.#minutes.length;
    // Later minutes exist only if the clock stepped back.
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
