const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 24 * 60;

/**
 * Credits of the last 24 hours, kept by the minute. A minute counts until all of it is older than 24 hours, so
 * the cap is never exceeded in any 24 hours, at the price of being up to a minute late to forget.
 */
export class RollingCredits {
  /** In ascending order of minute; `#first` is the oldest that still counts. */
  readonly #minutes: number[] = [];
  readonly #credits: number[] = [];
  #first = 0;
  #total = 0;

  /** Adds credits of a call that ended at `now`. Negative credits take back what was added. */
  add(now: number, credits: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    let at = this.#minutes.length;
    // After a clock that stepped back this is the next minute known: in order, and not forgotten early.
    while (at > this.#first && (this.#minutes[at - 1] as number) >= minute) at--;
    if (at === this.#minutes.length) {
      this.#minutes.push(minute);
      this.#credits.push(0);
    }
    this.#credits[at] = (this.#credits[at] as number) + credits;
    this.#total += credits;
  }

  /** The credits of the 24 hours before `now`. */
  total(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - WINDOW_MINUTES;
    while (this.#first < this.#minutes.length && (this.#minutes[this.#first] as number) < oldest) {
      this.#total -= this.#credits[this.#first] as number;
      this.#first++;
    }
    if (this.#first > WINDOW_MINUTES) {
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
      if (toFree <= 0) return ((this.#minutes[i] as number) + WINDOW_MINUTES + 1) * MINUTE_MS;
    }
    return now + WINDOW_MINUTES * MINUTE_MS;
  }
}
