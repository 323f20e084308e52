import { fault, type Finding, ok, warning } from './finding';

/** How far another clock is ahead of ours, and how exactly that is known. */
export interface ClockReading {
  aheadMs: number;
  uncertainMs: number;
}

/** A Date header has whole seconds. */
const DATE_STEP_MS = 1_000;
const DOUBTFUL_MS = 5_000;
/** Sign-ins, payments and tokens are judged to about this. */
const WRONG_MS = 30_000;

/** What a Date header says of our clock. */
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

/** Judges our clock by what most others say: one server with a wrong clock says nothing of ours. */
export function judgeClock(readings: readonly ClockReading[]): Finding {
  if (readings.length === 0)
    return warning(
      'clock',
      'No server told the time, so the clock could not be compared.',
      'Compare it with `timedatectl`, and see that it is synchronized.',
    );
  const sorted = [...readings].sort((left, right) => left.aheadMs - right.aheadMs);
  const { aheadMs, uncertainMs } = sorted[Math.floor(sorted.length / 2)] as ClockReading;
  const offMs = Math.max(0, Math.abs(aheadMs) - uncertainMs);
  const seconds = `${(offMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} those of ${readings.length} server${readings.length === 1 ? '' : 's'}`;
  if (offMs < DOUBTFUL_MS)
    return ok(
      'clock',
      `This machine's clock agrees with ${readings.length} server${readings.length === 1 ? '' : 's'}.`,
    );
  const remedy = 'Synchronize it (`timedatectl set-ntp true`): sign-ins, payments and days are judged by it.';
  return offMs < WRONG_MS
    ? warning('clock', `This machine's clock is ${seconds}.`, remedy)
    : fault('clock', `This machine's clock is ${seconds}.`, remedy);
}
