import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client';

/** Observations with one set of labels. Keep and reuse this object: adding an observation then allocates nothing. */
export class LatencySeries {
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length);
  }

  observe(seconds: number): void {
    this.sum += seconds;
    this.count++;
    const { bounds } = this;
    for (let i = 0; i < bounds.length; i++) {
      if (seconds > (bounds[i] as number)) continue;
      this.counts[i] = (this.counts[i] as number) + 1;
      return;
    }
  }
}

/**
 * Histogram of durations in seconds, fast enough for code that runs in every call. prom-client's own histogram is
 * slower, because it hashes the labels of each observation. prom-client's registry still formats the values.
 */
export class LatencyHistogram {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #series: { labels: Readonly<Record<string, string>>; series: LatencySeries }[] = [];

  /** @param bounds upper bounds of the buckets in seconds, ascending; the last bucket has no bound */
  constructor(
    readonly name: string,
    readonly help: string,
    private readonly bounds: readonly number[],
  ) {}

  /** Creates a series. Call this once for each set of labels. */
  series(labels: Readonly<Record<string, string>> = {}): LatencySeries {
    const series = new LatencySeries(this.bounds);
    this.#series.push({ labels, series });
    return series;
  }

  get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    const values = this.#series.flatMap(({ labels, series }) => this.#samples(labels, series));
    return Promise.resolve({
      name: this.name,
      help: this.help,
      type: 'histogram' as never,
      aggregator: this.aggregator,
      values,
      collect: () => undefined,
    });
  }

  reset(): void {
    this.#series.length = 0;
  }

  #samples(
    labels: Readonly<Record<string, string>>,
    { counts, sum, count }: LatencySeries,
  ): MetricValueWithName<string>[] {
    let below = 0;
    const buckets = this.bounds.map((bound, i) => ({
      metricName: `${this.name}_bucket`,
      labels: { le: String(bound), ...labels },
      value: (below += counts[i] as number),
    }));
    return [
      ...buckets,
      { metricName: `${this.name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
