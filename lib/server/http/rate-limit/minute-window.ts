const MINUTE_MS = 60_000;

/**
 * Requests of one caller in its running minute. The minute starts with the caller's first request, not with the
 * clock's, so that a burst is held to the cap wherever it falls.
 */
export class MinuteWindow {
  constructor(
    public startedAt: number,
    public requests: number,
  ) {}

  /** Requests so far in the minute that runs at `now`. */
  count(now: number): number {
    return this.isOver(now) ? 0 : this.requests;
  }

  /** Counts one request. */
  take(now: number): void {
    if (this.isOver(now)) {
      this.startedAt = now;
      this.requests = 0;
    }
    this.requests++;
  }

  /** Takes one request of the running minute back. */
  giveBack(now: number): void {
    if (this.count(now) > 0) this.requests--;
  }

  /** When the running minute ends, in Unix milliseconds. */
  resetAt(): number {
    return this.startedAt + MINUTE_MS;
  }

  /** A clock that was set back starts a new minute too, lest the caller wait for the old one to come round again. */
  private isOver(now: number): boolean {
    return now >= this.startedAt + MINUTE_MS || now < this.startedAt;
  }
}
