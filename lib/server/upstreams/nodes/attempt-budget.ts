/** Tokens at hand at first and at most: what a burst of failures may use at once. */
const BURST = 100;
/** What even a quiet network earns, so that its rare calls can be tried again. */
const TOKENS_PER_SECOND = 1;

/**
 * Bounds second attempts to a share of the calls, so that trouble upstream is not multiplied by those who try to
 * get around it: a token bucket that every call fills by `share` and every second attempt empties by one.
 */
export class AttemptBudget {
  #tokens = BURST;
  #refilledAt = 0;

  constructor(private readonly share: number) {
    if (share === 0) this.#tokens = 0;
  }

  /** Counts a call. */
  earn(): void {
    if (this.#tokens < BURST) this.#tokens = Math.min(BURST, this.#tokens + this.share);
  }

  /** @returns whether a second attempt may be made now. @param now milliseconds of a monotonic clock. */
  take(now: number): boolean {
    if (this.share === 0) return false;
    if (this.#refilledAt > 0)
      this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilledAt) / 1000) * TOKENS_PER_SECOND);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
