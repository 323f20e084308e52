const MINUTE_MS = 60_000;

/**
 * A caller's current minute and the number of requests in it (spec, "Limits"). The minute starts with the caller's
 * first request, because a burst across the end of a clock minute could otherwise exceed the limit.
 */
export interface RunningMinute {
  readonly startedAt: number;
  readonly requests: number;
}

export const NO_REQUESTS: RunningMinute = { startedAt: 0, requests: 0 };

/** Returns the number of requests in the minute that includes `now`. */
export function requestsIn(minute: RunningMinute, now: number): number {
  return runsAt(minute, now) ? minute.requests : 0;
}

/** Adds a request at `now` to the current minute. If that minute is over, starts a new minute. */
export function withRequest(minute: RunningMinute, now: number): RunningMinute {
  return runsAt(minute, now)
    ? { startedAt: minute.startedAt, requests: minute.requests + 1 }
    : { startedAt: now, requests: 1 };
}

/** End of the minute, when the limit resets; Unix milliseconds. */
export function minuteEnd({ startedAt }: RunningMinute): number {
  return startedAt + MINUTE_MS;
}

/** Returns whether `now` is in the minute. Tolerates a clock that was set back by less than a minute. */
function runsAt({ startedAt }: RunningMinute, now: number): boolean {
  return now < startedAt + MINUTE_MS && now > startedAt - MINUTE_MS;
}
