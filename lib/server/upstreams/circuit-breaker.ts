export interface CircuitBreakerOptions {
  /** Failures in a row after which it opens. */
  failuresInRow: number;
  /** How long it stays open the first time; doubled each time after that until it has proved sound. */
  openMs: number;
  openMsMax: number;
}

/** Outcomes looked back on, and how many there must be before their share counts. */
const OUTCOMES = 20;
const OUTCOMES_MIN = 10;
const FAILED_SHARE_MAX = 0.5;

/**
 * Keeps calls away from what keeps failing: opens after some failures in a row, or when half of the last outcomes
 * are failures; lets one probe through when its time is over, and closes or stays open by the probe's outcome.
 * Times are milliseconds of one monotonic clock, given by the caller.
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

  /** Whether a call may go through now. Whoever then makes one says so by `begin`. */
  admits(now: number): boolean {
    return this.#state === 'closed' || (this.#state === 'open' && now >= this.#openUntil);
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** When the next probe is due; meaningful while it is not closed. */
  get openUntil(): number {
    return this.#openUntil;
  }

  /** Closed, and nothing but successes for so long that it can be forgotten. */
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
  }

  /** @returns whether this failure opened it. */
  failed(now: number): boolean {
    if (this.#state === 'open') return false;
    this.#note(false);
    this.#failuresInRow++;
    if (this.#state === 'closed' && !this.#hasHadEnough()) return false;
    this.#open(now);
    return true;
  }

  /** A call ended without a verdict: a probe that proved nothing leaves it open. */
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
