/** One sample of a process. */
export interface Sample {
  /** Milliseconds since the start of the soak test. */
  atMs: number;
  rssBytes: number;
  descriptors: number;
  /** p99 of event loop delay since the last sample, in seconds; null if metrics could not be read. */
  loopP99Seconds: number | null;
  heapUsedBytes: number | null;
}

/** Linear trend of a value. */
export interface Flatness {
  /** Start of the line through the minutes' medians; `to` is its end. */
  from: number;
  to: number;
  /** Rise or fall of the line, divided by its start. */
  drift: number;
  minutes: number;
}

const MINUTE_MS = 60_000;
/**
 * Share of a soak test that counts as warm-up. In this time, caches fill, V8 optimizes code and the heap reaches its
 * size.
 */
const WARM_UP_SHARE = 0.25;

/**
 * Fits a line (least squares) to the medians of all whole minutes after the warm-up. A single garbage collection or
 * burst does not change the median of its minute, and a single minute hardly changes the line.
 * @throws RangeError if fewer than two minutes are left
 */
export function flatnessOf(samples: readonly Sample[], minutes: number, pick: (sample: Sample) => number): Flatness {
  const warm = minuteMedians(samples, pick).filter(
    ({ minute }) => minute >= minutes * WARM_UP_SHARE && minute < minutes,
  );
  if (warm.length < 2) throw new RangeError('A line needs two minutes after the warm-up.');
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(warm.map(({ minute }) => minute)), mean(warm.map(({ median }) => median))];
  const covariance = mean(warm.map(({ minute, median }) => (minute - x) * (median - y)));
  const slope = covariance / mean(warm.map(({ minute }) => (minute - x) ** 2));
  const at = (minute: number): number => y + slope * (minute - x);
  const [from, to] = [at(warm[0]?.minute ?? 0), at(warm.at(-1)?.minute ?? 0)];
  return { from, to, drift: (to - from) / from, minutes: warm.length };
}

/** Returns the median of each minute that has samples, in order. */
export function minuteMedians(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): { minute: number; median: number }[] {
  const minutes = new Map<number, number[]>();
  for (const sample of samples) {
    const minute = Math.floor(sample.atMs / MINUTE_MS);
    const values = minutes.get(minute) ?? [];
    minutes.set(minute, [...values, pick(sample)]);
  }
  return Array.from(minutes, ([minute, values]) => ({ minute, median: medianOf(values) })).sort(
    (one, other) => one.minute - other.minute,
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
