import type { GatewayFigures } from '@/lib/protocol/operator-figures';
import { figuresOf } from '../billing/traffic-figures';
import type { TrafficSample } from '../db/traffic-days';
import type { LatencySeries } from '../telemetry/latency-histogram';

const WINDOW_MS = 5 * 60_000;
/** Minimum time between stored samples. It limits the number of samples. */
const SAMPLE_MS = 5_000;

/**
 * @param series one list for each endpoint, with a series for each status class from 1xx to 5xx
 * @param bounds upper bounds of the histogram's buckets in seconds
 */
export function sampleOf(series: Iterable<readonly LatencySeries[]>, bounds: readonly number[]): TrafficSample {
  const sample: TrafficSample = { requests: 0, failed: 0, counts: bounds.map(() => 0) };
  for (const classes of series) {
    classes.forEach(({ count, counts }, index) => {
      sample.requests += count;
      if (index === classes.length - 1) sample.failed += count;
      for (let i = 0; i < counts.length; i++) sample.counts[i] = (sample.counts[i] ?? 0) + (counts[i] ?? 0);
    });
  }
  return sample;
}

export function difference(first: TrafficSample, last: TrafficSample): TrafficSample {
  return {
    requests: last.requests - first.requests,
    failed: last.failed - first.failed,
    counts: last.counts.map((count, index) => count - (first.counts[index] ?? 0)),
  };
}

/**
 * Figures of requests in the last 5 minutes. Takes samples only in `read`, so that requests cost nothing extra. Covers
 * a longer time if calls of `read` are rare.
 */
export class TrafficWindow {
  #samples: { at: number; sample: TrafficSample }[];

  constructor(
    private readonly take: () => TrafficSample,
    private readonly bounds: readonly number[],
    now: number,
  ) {
    this.#samples = [{ at: now, sample: take() }];
  }

  /** @param now time in milliseconds of a monotonic clock */
  read(now: number): NonNullable<GatewayFigures['traffic']> {
    const sample = this.take();
    while (this.#samples.length > 1 && (this.#samples[1]?.at ?? now) <= now - WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0] ?? { at: now, sample };
    if (now - (this.#samples.at(-1)?.at ?? now) >= SAMPLE_MS) this.#samples.push({ at: now, sample });
    return { windowMs: Math.max(now - first.at, 1), ...figuresOf(difference(first.sample, sample), this.bounds) };
  }
}
