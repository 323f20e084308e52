import { setTimeout as sleep } from 'node:timers/promises';

const FRESH_MS = 250;

/** Checks whether the store answers, at limited cost and in limited time. */
export class StoreProbe {
  #asking: Promise<string | null> | null = null;
  #known: { reason: string | null; at: number } | null = null;

  /**
   * @param ping minimal query with its own timeout
   * @param timeoutMs time after which the store counts as unavailable
   */
  constructor(
    private readonly ping: () => Promise<void>,
    private readonly timeoutMs: number,
  ) {}

  /** Returns why the store cannot be used, as a sentence without the store's address; null if the store answers. */
  async reason(): Promise<string | null> {
    if (this.#known && performance.now() - this.#known.at < FRESH_MS) return this.#known.reason;
    const asking = (this.#asking ??= this.#ask());
    const waiting = new AbortController();
    const silent = sleep(this.timeoutMs, `The database did not answer within ${this.timeoutMs} ms.`, {
      signal: waiting.signal,
    }).catch(() => null);
    const reason = await Promise.race([asking, silent]);
    waiting.abort();
    return reason;
  }

  async #ask(): Promise<string | null> {
    const reason = await this.ping().then(
      () => null,
      () => 'The database cannot be reached.',
    );
    this.#known = { reason, at: performance.now() };
    this.#asking = null;
    return reason;
  }
}
