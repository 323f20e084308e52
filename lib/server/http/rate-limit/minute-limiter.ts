import { apiError } from '@/lib/protocol/errors';
import { MinuteWindow } from './minute-window';
import { rateLimitHeaders } from './rate-limit-headers';

const KEYS_MAX = 50_000;

/**
 * Requests a minute of each of many, in the memory of this process. Where several gateways share a Postgres, each
 * counts for itself: what these caps protect is the process; limits that are sold are the meter's.
 */
export class MinuteLimiter<Key> {
  /** In the order in which their minutes began: what is first is over first. */
  readonly #windows = new Map<Key, MinuteWindow>();

  /** @param ofWhom how the sentence of a refusal names whoever is counted, such as "one address". */
  constructor(
    public limit: number,
    private readonly ofWhom: string,
  ) {}

  /** Counts a request. @throws ApiError MINUTE_CAP beyond the limit, with the headers of a 429. */
  take(key: Key, now = Date.now()): void {
    const window = this.#runningWindow(key, now);
    if (window.count(now) >= this.limit) {
      const customMessage = `At most ${this.limit} requests a minute from ${this.ofWhom}; the next minute starts in ${Math.ceil((window.resetAt() - now) / 1000)} s.`;
      throw apiError('MINUTE_CAP', {
        fields: { customMessage },
        headers: rateLimitHeaders({ limit: this.limit, remaining: 0, resetAt: window.resetAt() }, now),
      });
    }
    window.take(now);
  }

  /** How many requests of the running minute are counted. */
  count(key: Key, now: number): number {
    return this.#windows.get(key)?.count(now) ?? 0;
  }

  /** Takes back a request that was counted and turned out not to be what the limit is for. */
  giveBack(key: Key, now: number): void {
    this.#windows.get(key)?.giveBack(now);
  }

  #runningWindow(key: Key, now: number): MinuteWindow {
    const known = this.#windows.get(key);
    if (known !== undefined && known.count(now) > 0) return known;
    this.#windows.delete(key);
    if (this.#windows.size >= KEYS_MAX) this.#forgetOldest();
    const begun = new MinuteWindow(now, 0);
    this.#windows.set(key, begun);
    return begun;
  }

  /** Whoever has as many keys as it takes to be forgotten by this has as many limits, and gains nothing. */
  #forgetOldest(): void {
    let count = KEYS_MAX / 10;
    for (const key of this.#windows.keys()) {
      if (count-- === 0) return;
      this.#windows.delete(key);
    }
  }
}
