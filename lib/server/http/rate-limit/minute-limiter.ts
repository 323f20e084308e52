import { apiError } from '@/lib/protocol/errors';
import { minuteEnd, requestsIn, type RunningMinute, withRequest } from '@/lib/protocol/running-minute';

/** Mutable count of requests in the current minute. */
export class MinuteWindow {
  #minute: RunningMinute;

  constructor(startedAt: number, requests: number) {
    this.#minute = { startedAt, requests };
  }

  count(now: number): number {
    return requestsIn(this.#minute, now);
  }

  take(now: number): void {
    this.#minute = withRequest(this.#minute, now);
  }

  giveBack(now: number): void {
    const requests = this.count(now);
    if (requests > 0) this.#minute = { startedAt: this.#minute.startedAt, requests: requests - 1 };
  }

  resetAt(): number {
    return minuteEnd(this.#minute);
  }
}

/**
 * Returns the headers of a 429: the limit, the remaining requests, the reset time in Unix seconds, and Retry-After in
 * seconds.
 */
export function rateLimitHeaders(
  { limit, remaining, resetAt }: { limit: number; remaining: number; resetAt: number },
  now: number,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'retry-after': String(Math.max(1, Math.ceil((resetAt - now) / 1000))),
  };
}

const KEYS_MAX = 50_000;

/**
 * Limits each client's requests per minute, to protect this process. `Key` identifies the client. The limits
 * of an account's tier are separate, and the meter enforces them.
 */
export class MinuteLimiter<Key> {
  readonly #windows = new Map<Key, MinuteWindow>();

  /** @param ofWhom kind of client for error messages, such as "one address" */
  constructor(
    public limit: number,
    private readonly ofWhom: string,
  ) {}

  /** Counts a request. @throws ApiError MINUTE_CAP beyond the limit. The error has the headers of a 429 */
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

  count(key: Key, now: number): number {
    return this.#windows.get(key)?.count(now) ?? 0;
  }

  /** Removes a request from the count, because the limit does not apply to it. */
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

  #forgetOldest(): void {
    let count = KEYS_MAX / 10;
    for (const key of this.#windows.keys()) {
      if (count-- === 0) return;
      this.#windows.delete(key);
    }
  }
}
