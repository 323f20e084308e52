import { apiError } from '@/lib/protocol/errors';
import { MinuteWindow } from './minute-window';
import { rateLimitHeaders } from './rate-limit-headers';

const ADDRESSES_MAX = 50_000;

/** Requests a minute of one client address to endpoints that need no credential. */
export class AddressLimiter {
  readonly #windows = new Map<string, MinuteWindow>();

  constructor(readonly limit: number) {}

  /** Counts a request. @throws ApiError MINUTE_CAP beyond the limit. */
  take(address: string, now = Date.now()): void {
    let window = this.#windows.get(address);
    if (!window) {
      if (this.#windows.size >= ADDRESSES_MAX) this.#forgetOldest();
      this.#windows.set(address, (window = new MinuteWindow(now, 0)));
    }
    if (window.count(now) >= this.limit) {
      const customMessage = `At most ${this.limit} requests a minute from one address; the next minute starts in ${Math.ceil((window.resetAt() - now) / 1000)} s.`;
      throw apiError('MINUTE_CAP', { fields: { customMessage }, headers: rateLimitHeaders({ limit: this.limit, remaining: 0, resetAt: window.resetAt() }, now) });
    }
    window.take(now);
  }

  #forgetOldest(): void {
    let count = ADDRESSES_MAX / 10;
    for (const address of this.#windows.keys()) {
      if (count-- === 0) return;
      this.#windows.delete(address);
    }
  }
}
