import type { GatewayFigures } from '@/lib/protocol/operator-figures';
import type { LatencySeries } from '../telemetry/latency-histogram';

const WINDOW_MS = 5 * 60_000;
/** Time between two samples, which bounds their number. */
const SAMPLE_MS = 5_000;
const MOST = 0.95;

interface Sample {
  at: number;
  requests: number;
  failed: number;
  /** Number of requests per bucket of the histogram. */
  counts: number[];
}

/**
 * Figures of the last 5 minutes' requests. Samples the counts only on `read`, so that requests cost nothing extra.
 * After a long pause between reads, the window is longer.
 */
export class TrafficWindow {
  #samples: Sample[];

  /**
   * @param series series of each endpoint, by status class from 1xx to 5xx
   * @param bounds upper bounds of the histogram's buckets in seconds
   */
  constructor(
    private readonly series: () => Iterable<readonly LatencySeries[]>,
    private readonly bounds: readonly number[],
    now: number,
  ) {
    this.#samples = [{ at: now, requests: 0, failed: 0, counts: bounds.map(() => 0) }];
  }

  /** @param now milliseconds of a monotonic clock */
  read(now: number): NonNullable<GatewayFigures['traffic']> {
    const sample = this.#take(now);
    while (this.#samples.length > 1 && (this.#samples[1] as Sample).at <= now - WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0] as Sample;
    if (now - (this.#samples.at(-1) as Sample).at >= SAMPLE_MS) this.#samples.push(sample);
    const requests = sample.requests - first.requests;
    const counts = sample.counts.map((count, index) => count - (first.counts[index] ?? 0));
    return {
      windowMs: Math.max(now - first.at, 1),
      requests,
      failed: sample.failed - first.failed,
      p95Ms: requests === 0 ? null : this.#durationOf(counts, requests * MOST),
    };
  }

  #take(now: number): Sample {
    const sample: Sample = { at: now, requests: 0, failed: 0, counts: this.bounds.map(() => 0) };
    for (const classes of this.series()) {
      classes.forEach(({ count, counts }, index) => {
        sample.requests += count;
        if (index === classes.length - 1) sample.failed += count;
        for (let i = 0; i < counts.length; i++) sample.counts[i] = (sample.counts[i] ?? 0) + (counts[i] ?? 0);
      });
    }
    return sample;
  }

  /** Returns the duration that `rank` requests do not exceed, in milliseconds, interpolated within its bucket. */
  #durationOf(counts: readonly number[], rank: number): number {
    let below = 0;
    for (const [index, count] of counts.entries()) {
      const [from, to] = [this.bounds[index - 1] ?? 0, this.bounds[index] ?? 0];
      if (below + count >= rank && count > 0) return (from + ((to - from) * (rank - below)) / count) * 1_000;
      below += count;
    }
    return (this.bounds.at(-1) ?? 0) * 1_000;
  }
}
