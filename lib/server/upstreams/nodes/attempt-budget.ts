/** Number of tokens at the start, which is also the maximum. A burst of this many failures can be retried. */
const BURST = 100;
/** Tokens added per second even if there are no calls, so that rare calls can be retried. */
const TOKENS_PER_SECOND = 1;

/**
 * Budget for retries or for hedges. Keeps retries from overloading upstreams that fail. It is a token bucket: each call
 * adds `share` tokens, and each retry or hedge takes one token.
 */
export class AttemptBudget {
  #tokens = BURST;
  #refilledAt = 0;

  constructor(private readonly share: number) {
    if (share === 0) this.#tokens = 0;
  }

  earn(): void {
    if (this.#tokens < BURST) this.#tokens = Math.min(BURST, this.#tokens + this.share);
  }

  /**
   * Takes a token.
   * @param now time in milliseconds of a monotonic clock
   * @returns false if none is left
   */
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
