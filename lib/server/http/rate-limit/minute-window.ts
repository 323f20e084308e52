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
