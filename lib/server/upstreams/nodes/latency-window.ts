const CAPACITY = 64;
const STALE_AFTER = 8;
const WEIGHT = 0.2;

export class LatencyWindow {
  readonly #values = new Float64Array(CAPACITY);
  #total = 0;
  #averageMs: number | null = null;
  #quantiles = new Map<number, { at: number; value: number }>();

  add(ms: number): void {
    this.#values[this.#total++ % CAPACITY] = ms;
    this.#averageMs = this.#averageMs === null ? ms : this.#averageMs + WEIGHT * (ms - this.#averageMs);
  }

  /**
   * Records a call that was cancelled after `ms`. The whole call is estimated to take twice that time, and the
   * average becomes at least as long as this estimate. Quantiles do not change.
   */
  addAtLeast(ms: number): void {
    this.#averageMs = Math.max(this.#averageMs ?? 0, 2 * ms);
  }

  get count(): number {
    return Math.min(this.#total, CAPACITY);
  }

  get averageMs(): number | null {
    return this.#averageMs;
  }

  /** Returns the `q` quantile; null if there are no values. The quantile might not include the last few values. */
  quantile(q: number): number | null {
    if (this.#total === 0) return null;
    const known = this.#quantiles.get(q);
    if (known && (this.#total - known.at < STALE_AFTER || this.#total === known.at)) return known.value;
    const sorted = this.#values.slice(0, this.count).sort();
    const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)] as number;
    this.#quantiles.set(q, { at: this.#total, value });
    return value;
  }
}
