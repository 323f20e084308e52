import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import type { GatewayFigures } from '@/lib/protocol/operator-figures';
import type { Endpoint } from '../http/endpoint';
import type { LatencySeries } from '../telemetry/latency-histogram';
import type { Metrics } from '../telemetry/metrics';

const WINDOW_MS = 5 * 60_000;
/** Minimum time between two samples. Bounds the number of stored samples. */
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
 * Figures of requests in the last 5 minutes. Takes samples only in `read`, so that requests cost nothing extra. Covers
 * a longer time if nothing was read for 5 minutes.
 */
export class TrafficWindow {
  #samples: Sample[];

  /**
   * @param series one list for each endpoint, with a series for each status class from 1xx to 5xx
   * @param bounds the upper bounds of the histogram's buckets in seconds
   */
  constructor(
    private readonly series: () => Iterable<readonly LatencySeries[]>,
    private readonly bounds: readonly number[],
    now: number,
  ) {
    this.#samples = [{ at: now, requests: 0, failed: 0, counts: bounds.map(() => 0) }];
  }

  /** @param now the time in milliseconds of a monotonic clock */
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

  /** Returns the duration in milliseconds that `rank` requests do not exceed. Interpolates within a bucket. */
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

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'];
/** Label of unknown paths. Without it, callers could create any number of labels. */
const OTHER = 'other';

/** Durations of requests by endpoint and status class, and refusals by error code. All series exist from the start. */
export class RequestMetrics {
  readonly #series = new Map<string, readonly LatencySeries[]>();
  readonly #other: readonly LatencySeries[];
  readonly #refusals = new Map<string, number>((Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, 0]));

  readonly #traffic = new TrafficWindow(() => [...this.#series.values(), this.#other], BOUNDS_SECONDS, clockMs());

  constructor(metrics: Metrics, endpoints: readonly Endpoint[]) {
    const histogram = metrics.histogram(
      'turnpike_http_request_duration_seconds',
      'Time until the whole answer was ready, or a stream was fully sent, by endpoint path and status class.',
      BOUNDS_SECONDS,
    );
    const seriesOf = (endpoint: string): readonly LatencySeries[] =>
      CLASSES.map((status) => histogram.series({ endpoint, status }));
    for (const endpoint of endpoints) this.#series.set(endpoint.path, seriesOf(endpoint.path));
    this.#other = seriesOf(OTHER);
    metrics.counter(
      { name: 'turnpike_http_refusals_total', help: 'Error answers, by code.', labels: ['code'] },
      (say) => {
        for (const [code, count] of this.#refusals) say({ code }, count);
      },
    );
  }

  /** Returns how often each error code was answered. */
  refusals(): (readonly [code: string, count: number])[] {
    return [...this.#refusals].filter(([, count]) => count > 0);
  }

  traffic(): ReturnType<TrafficWindow['read']> {
    return this.#traffic.read(clockMs());
  }

  /** @param code the error code; null for an answer that is not an error */
  observe(endpoint: Endpoint, status: number, seconds: number, code: string | null): void {
    const series = this.#series.get(endpoint.path) ?? this.#other;
    series[Math.floor(status / 100) - 1]?.observe(seconds);
    if (code === null) return;
    const count = this.#refusals.get(code);
    if (count !== undefined) this.#refusals.set(code, count + 1);
  }
}

function clockMs(): number {
  return Math.round(performance.now());
}
