/** Running time after which a caller's next job must wait. */
const ALLOWANCE_MS = 1_000;
/** Milliseconds of allowance that a caller regains per elapsed millisecond. */
const REFILL_SHARE = 0.25;
const REMEMBERED_MAX = 1_000;

interface Caller {
  waiting: (() => Promise<void>)[];
  /** Milliseconds of the allowance that were used up at `asOf`. */
  usedMs: number;
  asOf: number;
}

/**
 * Runs jobs one at a time, and lets callers take turns. Each caller may use one second of running time, and regains a
 * quarter of each second that passes. So a caller with expensive jobs delays others by at most one job.
 */
export class FairTurns {
  readonly #callers = new Map<number, Caller>();
  #isRunning = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  waitingOf(caller: number): number {
    return this.#callers.get(caller)?.waiting.length ?? 0;
  }

  take<T>(caller: number, job: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const known = this.#callers.get(caller) ?? { waiting: [], usedMs: 0, asOf: this.now() };
      known.waiting.push(() => job().then(resolve, reject));
      this.#callers.set(caller, known);
      this.#next();
    });
  }

  #next(): void {
    if (this.#isRunning) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const found = this.#choose();
    if (found === null) return;
    if (typeof found === 'number') {
      this.#timer = setTimeout(() => this.#next(), Math.ceil(found));
      return;
    }
    const [name, caller] = found;
    this.#callers.delete(name);
    this.#callers.set(name, caller);
    void this.#run(caller);
  }

  /**
   * Returns the caller whose job runs next. If all callers must wait, returns the milliseconds until a job may run.
   * Returns null if there are no jobs.
   */
  #choose(): [number, Caller] | number | null {
    let soonestMs = Infinity;
    for (const entry of this.#callers) {
      if (entry[1].waiting.length === 0) continue;
      const excessMs = this.#used(entry[1]) - ALLOWANCE_MS;
      if (excessMs <= 0) return entry;
      soonestMs = Math.min(soonestMs, excessMs / REFILL_SHARE);
    }
    return soonestMs === Infinity ? null : soonestMs;
  }

  async #run(caller: Caller): Promise<void> {
    const job = caller.waiting.shift();
    if (!job) return;
    this.#isRunning = true;
    const startedAt = this.now();
    await job();
    caller.usedMs = this.#used(caller) + (this.now() - startedAt);
    this.#isRunning = false;
    this.#forget();
    this.#next();
  }

  #used(caller: Caller): number {
    const now = this.now();
    caller.usedMs = Math.max(0, caller.usedMs - (now - caller.asOf) * REFILL_SHARE);
    caller.asOf = now;
    return caller.usedMs;
  }

  #forget(): void {
    if (this.#callers.size <= REMEMBERED_MAX) return;
    for (const [name, caller] of this.#callers)
      if (caller.waiting.length === 0 && this.#used(caller) === 0) this.#callers.delete(name);
  }
}
