import { collectDefaultMetrics, Counter, Gauge, type Metric, Registry } from 'prom-client';
import { LatencyHistogram } from './latency-histogram';

/** Says the value of one set of labels, at a scrape. */
export type Say<Label extends string> = (labels: Readonly<Record<Label, string>>, value: number) => void;

export interface Described<Label extends string> {
  name: string;
  help: string;
  /** None of them may be given by a caller: each set of values is kept for ever. */
  labels: readonly Label[];
}

/**
 * What the gateway measures of itself, for Prometheus. Parts keep plain numbers, which are read at a scrape: counting
 * costs a call nothing more than an addition.
 */
export class Metrics {
  readonly #registry = new Registry();

  /** With those of the process and of Node: CPU, memory, event loop, collections, descriptors. */
  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** What goes up and down. @param read says all values of now; what it does not say is absent from the scrape. */
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
        // What has no labels is 0 after a reset, which would be a value that nobody said.
        if (labels.length === 0) this.remove();
        await read((values, value) => this.set(values, value));
      },
    });
  }

  /** What only grows, by the total of a part. @param read says all totals of now. */
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

  /** Durations on the way of calls. @param bounds in seconds. */
  histogram(name: string, help: string, bounds: readonly number[]): LatencyHistogram {
    const histogram = new LatencyHistogram(name, help, bounds);
    // The registry wants nothing of a metric but its name and what `get` gives.
    this.#registry.registerMetric(histogram as unknown as Metric);
    return histogram;
  }

  /** Names of all metrics. */
  names(): string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All of them in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
