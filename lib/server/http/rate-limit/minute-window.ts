import { minuteEnd, requestsIn, type RunningMinute, withRequest } from '@/lib/protocol/running-minute';

/** A running minute that changes in place, for limiters that keep many. */
export class MinuteWindow {
  #minute: RunningMinute;

  constructor(startedAt: number, requests: number) {
    this.#minute = { startedAt, requests };
  }

  /** Requests so far in the minute that runs at `now`. */
  count(now: number): number {
    return requestsIn(this.#minute, now);
  }

  /** Counts one request. */
  take(now: number): void {
    this.#minute = withRequest(this.#minute, now);
  }

  /** Takes one request of the running minute back. */
  giveBack(now: number): void {
    const requests = this.count(now);
    if (requests > 0) this.#minute = { startedAt: this.#minute.startedAt, requests: requests - 1 };
  }

  /** When the running minute ends, in Unix milliseconds. */
  resetAt(): number {
    return minuteEnd(this.#minute);
  }
}
