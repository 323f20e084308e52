import { collectDefaultMetrics, Counter, Gauge, type Metric, Registry } from 'prom-client';
import { LatencyHistogram } from './latency-histogram';

type Say<Label extends string> = (labels: Readonly<Record<Label, string>>, value: number) => void;

interface Described<Label extends string> {
  name: string;
  help: string;
  /** Label names. A label's value must not come from a caller, because each combination becomes a time series. */
  labels: readonly Label[];
}

/**
 * Metrics for Prometheus. Other parts of the gateway count in plain variables, which each scrape reads.
 *
 * This folder contains the log, the metrics with their listener, and the trace export. Telemetry never delays a call or
 * makes it fail: traces are dropped if their receiver is slow. It contains no API keys, prompts or wallets; accounts
 * appear only as pseudonyms.
 */
export class Metrics {
  readonly #registry = new Registry();

  constructor() {
    for (const metric of processMetrics()) this.#registry.registerMetric(metric);
  }

  /**
   * Registers a gauge.
   * @param read reports all current values; sets of labels that it does not report are not exported
   */
  gauge<Label extends string>(
    { name, help, labels }: Described<Label>,
    read: (say: Say<Label>) => void | Promise<void>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [this.#registry],
      async collect() {
        this.reset();
        // `reset` sets a metric without labels to 0, which would be a wrong value.
        if (labels.length === 0) this.remove();
        await read((values, value) => this.set(values, value));
      },
    });
  }

  /** Registers a counter. @param read reports all current totals */
  counter<Label extends string>(
    { name, help, labels }: Described<Label>,
    read: (say: Say<Label>) => void | Promise<void>,
  ): void {
    new Counter({
      name,
      help,
      labelNames: labels,
      registers: [this.#registry],
      async collect() {
        this.reset();
        await read((values, value) => this.inc(values, value));
      },
    });
  }

  /** Registers a histogram of call durations. @param bounds upper bounds of the buckets, in seconds */
  histogram(name: string, help: string, bounds: readonly number[]): LatencyHistogram {
    const histogram = new LatencyHistogram(name, help, bounds);
    this.#registry.registerMetric(histogram as unknown as Metric);
    return histogram;
  }

  names(): string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

let ofProcess: Registry | null = null;

/**
 * Returns the metrics of the process and of Node: CPU, memory, event loop, garbage collection, descriptors. These
 * metrics are made once per process, because they start an observer and a 10 ms timer that never end.
 */
function processMetrics(): Metric[] {
  if (ofProcess === null) collectDefaultMetrics({ register: (ofProcess = new Registry()) });
  return ofProcess.getMetricsAsArray() as unknown as Metric[];
}
