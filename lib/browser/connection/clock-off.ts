/** Sign-ins allow clocks to differ by a minute (spec, sign-in); what takes less is not worth a word. */
const TOLERATED_MS = 60_000;

/** Whether a clock that is ahead by so much breaks anything; null, where it is not known, does not. */
export function isClockOff(aheadMs: number | null): aheadMs is number {
  return aheadMs !== null && Math.abs(aheadMs) > TOLERATED_MS;
}
