export interface CircuitBreakerOptions {
  failuresInRow: number;
  /**
   * How long the breaker stays open the first time. Each later opening lasts twice as long as the one before, until
   * `isSound` is true.
   */
  openMs: number;
  openMsMax: number;
}

/**
 * Number of recent outcomes from which the failure rate is computed. If there are fewer than `OUTCOMES_MIN`, the rate
 * is ignored.
 */
const OUTCOMES = 20;
const OUTCOMES_MIN = 10;
const FAILED_SHARE_MAX = 0.5;

/**
 * Circuit breaker. Opens after some failures in a row, or when half of the recent outcomes are failures. After a
 * pause, admits one probe call. If the probe succeeds, the breaker closes; otherwise it opens again. Times are in
 * milliseconds of a monotonic clock.
 */
export class CircuitBreaker {
  #outcomes: boolean[] = [];
  #failuresInRow = 0;
  #openUntil = 0;
  #nextOpenMs: number;
  #state: 'closed' | 'open' | 'probing' = 'closed';

  constructor(private readonly options: CircuitBreakerOptions) {
    this.#nextOpenMs = options.openMs;
  }

  admits(now: number): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && now >= this.#openUntil);
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  get openUntil(): number {
    return this.#openUntil;
  }

  /** True if the breaker is closed and all recent outcomes are successes. Such a breaker can be discarded. */
  get isSound(): boolean {
    return this.#state === 'closed' && this.#outcomes.length >= OUTCOMES && !this.#outcomes.includes(false);
  }

  begin(): void {
    if (this.#state === 'open') this.#state = 'probing';
  }

  succeeded(): void {
    if (this.#state === 'open') return;
    this.#state = 'closed';
    this.#failuresInRow = 0;
    this.#note(true);
    if (this.#nextOpenMs !== this.options.openMs && this.isSound) this.#nextOpenMs = this.options.openMs;
  }

  failed(now: number): boolean {
    if (this.#state === 'open') return false;
    this.#note(false);
    this.#failuresInRow++;
    if (this.#state === 'closed' && !this.#hasHadEnough()) return false;
    this.#open(now);
    return true;
  }

  /** Ends a call that neither succeeded nor failed. If the call was the probe, the breaker opens again. */
  abandoned(now: number): void {
    if (this.#state === 'probing') this.#open(now);
  }

  #hasHadEnough(): boolean {
    if (this.#failuresInRow >= this.options.failuresInRow) return true;
    const failures = this.#outcomes.reduce((count, ok) => count + (ok ? 0 : 1), 0);
    return this.#outcomes.length >= OUTCOMES_MIN && failures >= this.#outcomes.length * FAILED_SHARE_MAX;
  }

  #open(now: number): void {
    this.#state = 'open';
    this.#openUntil = now + this.#nextOpenMs;
    this.#nextOpenMs = Math.min(this.options.openMsMax, this.#nextOpenMs * 2);
    this.#outcomes = [];
    this.#failuresInRow = 0;
  }

  #note(ok: boolean): void {
    this.#outcomes.push(ok);
    if (this.#outcomes.length > OUTCOMES) this.#outcomes.shift();
  }
}
