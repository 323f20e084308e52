/** Time that a caller may use at once, before others' right to it is felt. */
const ALLOWANCE_MS = 1_000;
/** What of each millisecond a caller gets back. */
const REFILL_SHARE = 0.25;
/** Callers who have used nothing of late are forgotten beyond so many. */
const REMEMBERED_MAX = 1_000;

interface Caller {
  waiting: (() => Promise<void>)[];
  /** Used time that was not yet paid back, as of then. */
  usedMs: number;
  asOf: number;
}

/**
 * Has jobs done one at a time: callers take turns, and who has used more than a second of it waits until a quarter of
 * the time that has gone by since makes up for it. So whoever brings expensive jobs holds up nobody else for longer
 * than one of them.
 */
export class FairTurns {
  readonly #callers = new Map<number, Caller>();
  #isRunning = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many jobs of a caller wait. */
  waitingOf(caller: number): number {
    return this.#callers.get(caller)?.waiting.length ?? 0;
  }

  /** Resolves with what the job comes to, when its turn has come and it is done. */
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
    // The last of those who wait, from now on.
    this.#callers.delete(name);
    this.#callers.set(name, caller);
    void this.#run(caller);
  }

  /** The next caller; how many milliseconds there will be none yet; or null where nobody waits. */
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
