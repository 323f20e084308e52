/** What one look at a process found. */
export interface Sample {
  /** Since the soak began, in milliseconds. */
  atMs: number;
  rssBytes: number;
  descriptors: number;
  /** Of its event loop since the last look, in seconds; null where metrics could not be read. */
  loopP99Seconds: number | null;
  heapUsedBytes: number | null;
}

/** Whether something stayed where it was. */
export interface Flatness {
  /** Of the line through medians of minutes, where it begins and where it ends. */
  from: number;
  to: number;
  /** How far it rises or falls, as a share of its beginning. */
  drift: number;
  /** Minutes that the line goes through. */
  minutes: number;
}

const MINUTE_MS = 60_000;
/** A soak's first quarter: caches fill, code is compiled, and the heap takes the size that it needs. */
const WARM_UP_SHARE = 0.25;

/**
 * Lays a line (least squares) through the medians of each whole minute after the warm-up, which is a quarter of the time.
 * A median of a minute knows neither a single collection nor a single burst; the line no single minute.
 * @throws RangeError where fewer than two minutes are left
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

/** The medians of the minutes that have samples, in order. */
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
