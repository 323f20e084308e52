import { setTimeout as sleep } from 'node:timers/promises';

/** Why the store cannot be used: no room to write, or no answer. */
export type StoreTrouble = 'full' | 'away';

export interface StoreStatus {
  /** Problem found by the last write or check; null if none. */
  readonly trouble: StoreTrouble | null;
  /** Start of the problem in Unix milliseconds; null if none. */
  readonly since: number | null;
  /**
   * Checks the store now. Takes at most a second. Concurrent callers cause one check. Never throws.
   * @returns problem; null if none
   */
  check(): Promise<StoreTrouble | null>;
}

export interface WriteGuard {
  /** @throws ApiError STORE_FULL if nothing can be written */
  assertWritable(): void;
  /** Records a failed write. @returns STORE_FULL if there was no room, or else the given error */
  failed(error: Error): Error;
}

/** Allows every write. For commands, and for tests that are not about a full disk. */
export const UNGUARDED: WriteGuard = { assertWritable: () => undefined, failed: (error) => error };

const FRESH_MS = 250;

/** Checks whether the store answers. Limits the rate and the duration of the checks. */
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

  /** Returns why the store cannot be used, as a sentence without the store's address; null if it answers. */
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
