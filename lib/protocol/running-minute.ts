const MINUTE_MS = 60_000;

/**
 * Requests of one caller in its running minute (spec, "Limits"). The minute starts with the caller's first request, not
 * with the clock's, so that a burst is held to the cap wherever it falls.
 */
export interface RunningMinute {
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly requests: number;
}

/** Nobody has asked yet. */
export const NO_REQUESTS: RunningMinute = { startedAt: 0, requests: 0 };

/** Requests so far in the minute that runs at `now`. */
export function requestsIn(minute: RunningMinute, now: number): number {
  return runsAt(minute, now) ? minute.requests : 0;
}

/** The minute with one request more, made at `now`: the one that runs, or else a new one. */
export function withRequest(minute: RunningMinute, now: number): RunningMinute {
  return runsAt(minute, now)
    ? { startedAt: minute.startedAt, requests: minute.requests + 1 }
    : { startedAt: now, requests: 1 };
}

/** When the running minute ends, Unix milliseconds: the cap's reset. */
export function minuteEnd({ startedAt }: RunningMinute): number {
  return startedAt + MINUTE_MS;
}

/**
 * A clock that stepped back by less than a minute is in the same one. A clock that was set back further starts a new
 * one, lest the caller wait for the old one to come round again.
 */
function runsAt({ startedAt }: RunningMinute, now: number): boolean {
  return now < startedAt + MINUTE_MS && now > startedAt - MINUTE_MS;
}
