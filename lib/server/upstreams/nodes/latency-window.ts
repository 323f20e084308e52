const CAPACITY = 64;
/** New values after which a quantile is computed again. */
const STALE_AFTER = 8;
/** Weight of the newest value in the moving average. */
const WEIGHT = 0.2;

/** The last latencies of something, in milliseconds, and what they come to. */
export class LatencyWindow {
  readonly #values = new Float64Array(CAPACITY);
  #total = 0;
  #averageMs: number | null = null;
  #quantiles = new Map<number, { at: number; value: number }>();

  add(ms: number): void {
    this.#values[this.#total++ % CAPACITY] = ms;
    this.#averageMs = this.#averageMs === null ? ms : this.#averageMs + WEIGHT * (ms - this.#averageMs);
  }

  /** A call was given up after so long. It would have taken longer, twice that by guess: the average moves, and no quantile. */
  addAtLeast(ms: number): void {
    this.#averageMs = Math.max(this.#averageMs ?? 0, 2 * ms);
  }

  /** Number of values that quantiles look at. */
  get count(): number {
    return Math.min(this.#total, CAPACITY);
  }

  /** Moving average; null before the first value. */
  get averageMs(): number | null {
    return this.#averageMs;
  }

  /** The value that a share `q` of the last ones do not exceed, a few values old at most; null before the first. */
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
