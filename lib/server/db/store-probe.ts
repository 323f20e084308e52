import { setTimeout as sleep } from 'node:timers/promises';

/** However many ask, the store is asked no more often than this. */
const FRESH_MS = 250;

/** Finds out whether the store answers, at a bounded cost, and in a bounded time also where it is silent. */
export class StoreProbe {
  #asking: Promise<string | null> | null = null;
  #known: { reason: string | null; at: number } | null = null;

  /**
   * @param ping asks the store for next to nothing; it must give up by itself some time.
   * @param timeoutMs after which the store counts as silent.
   */
  constructor(
    private readonly ping: () => Promise<void>,
    private readonly timeoutMs: number,
  ) {}

  /** Why the store cannot be used, in a sentence without its address; null where it answers. */
  async reason(): Promise<string | null> {
    if (this.#known && performance.now() - this.#known.at < FRESH_MS) return this.#known.reason;
    const asking = (this.#asking ??= this.#ask());
    const waiting = new AbortController();
    const silent = sleep(this.timeoutMs, `The store did not answer within ${this.timeoutMs} ms.`, {
      signal: waiting.signal,
    }).catch(() => null);
    const reason = await Promise.race([asking, silent]);
    waiting.abort();
    return reason;
  }

  async #ask(): Promise<string | null> {
    const reason = await this.ping().then(
      () => null,
      () => 'The store cannot be reached.',
    );
    this.#known = { reason, at: performance.now() };
    this.#asking = null;
    return reason;
  }
}
