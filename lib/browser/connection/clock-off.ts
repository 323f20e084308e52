/** Sign-ins tolerate a clock difference of one minute (spec, sign-in). */
const TOLERATED_MS = 60_000;

/** Returns whether a clock error exceeds the tolerance; false if unknown (null). */
export function isClockOff(aheadMs: number | null): aheadMs is number {
  return aheadMs !== null && Math.abs(aheadMs) > TOLERATED_MS;
}
