import { fault, type Finding, ok, warning } from './finding';

/** How many milliseconds another clock is ahead of this machine's clock, and the uncertainty in milliseconds. */
export interface ClockReading {
  aheadMs: number;
  uncertainMs: number;
}

/** A Date header is accurate only to the second. */
const DATE_STEP_MS = 1_000;
const DOUBTFUL_MS = 5_000;
/** From this clock error on, sign-ins, payments or tokens may fail. */
const WRONG_MS = 30_000;

/** Compares this machine's clock with a Date header. */
export function readingOf({
  servedAtMs,
  askedAtMs,
  tookMs,
}: {
  servedAtMs: number | null;
  askedAtMs: number;
  tookMs: number;
}): ClockReading | null {
  if (servedAtMs === null) return null;
  return { aheadMs: servedAtMs + DATE_STEP_MS / 2 - askedAtMs, uncertainMs: tookMs / 2 + DATE_STEP_MS / 2 };
}

/** Judges this machine's clock by the median of the servers' clocks, because a single server may be wrong. */
export function judgeClock(readings: readonly ClockReading[]): Finding {
  if (readings.length === 0)
    return warning(
      'clock',
      'No upstream reported its time, so the clock could not be compared.',
      'Check with `timedatectl` that the clock is synchronized.',
    );
  const sorted = [...readings].sort((left, right) => left.aheadMs - right.aheadMs);
  const { aheadMs, uncertainMs } = sorted[Math.floor(sorted.length / 2)] as ClockReading;
  const offMs = Math.max(0, Math.abs(aheadMs) - uncertainMs);
  const seconds = `${(offMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the clocks of ${readings.length} server${readings.length === 1 ? '' : 's'}`;
  if (offMs < DOUBTFUL_MS)
    return ok(
      'clock',
      `This machine's clock agrees with ${readings.length} server${readings.length === 1 ? '' : 's'}.`,
    );
  const remedy = 'Synchronize the clock (`timedatectl set-ntp true`): sign-ins, payments and days depend on it.';
  return offMs < WRONG_MS
    ? warning('clock', `This machine's clock is ${seconds}.`, remedy)
    : fault('clock', `This machine's clock is ${seconds}.`, remedy);
}
