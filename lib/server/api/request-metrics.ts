import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import type { Endpoint } from '../http/endpoint';
import type { LatencySeries } from '../telemetry/latency-histogram';
import type { Metrics } from '../telemetry/metrics';
import { REQUEST_SECONDS } from '../billing/traffic-figures';
import type { TrafficSample } from '../db/traffic-days';
import { sampleOf, TrafficWindow } from './traffic-window';

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'];
/** Metric label that all unknown paths share. Otherwise callers could create any number of labels. */
const OTHER = 'other';

/** Durations of requests by endpoint and status class, and refusals by error code. All series exist from the start. */
export class RequestMetrics {
  readonly #series = new Map<string, readonly LatencySeries[]>();
  readonly #other: readonly LatencySeries[];
  readonly #refusals = new Map<string, number>((Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, 0]));

  readonly #traffic: TrafficWindow;

  constructor(metrics: Metrics, endpoints: readonly Endpoint[]) {
    const histogram = metrics.histogram(
      'turnpike_http_request_duration_seconds',
      'Time until the whole answer was ready, or a stream was fully sent, by endpoint path and status class.',
      REQUEST_SECONDS,
    );
    const seriesOf = (endpoint: string): readonly LatencySeries[] =>
      CLASSES.map((status) => histogram.series({ endpoint, status }));
    for (const endpoint of endpoints) this.#series.set(endpoint.path, seriesOf(endpoint.path));
    this.#other = seriesOf(OTHER);
    this.#traffic = new TrafficWindow(() => this.sample(), REQUEST_SECONDS, clockMs());
    metrics.counter(
      { name: 'turnpike_http_refusals_total', help: 'Error answers, by code.', labels: ['code'] },
      (say) => {
        for (const [code, count] of this.#refusals) say({ code }, count);
      },
    );
  }

  refusals(): (readonly [code: string, count: number])[] {
    return [...this.#refusals].filter(([, count]) => count > 0);
  }

  traffic(): ReturnType<TrafficWindow['read']> {
    return this.#traffic.read(clockMs());
  }

  sample(): TrafficSample {
    return sampleOf([...this.#series.values(), this.#other], REQUEST_SECONDS);
  }

  /** @param code error code; null for an answer that is not an error */
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
