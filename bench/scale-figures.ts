import type { LoadResult } from './load';

export interface ScaleSample extends Pick<
  LoadResult,
  'requests' | 'refused' | 'requestsPerSecond' | 'p50Ms' | 'p99Ms'
> {
  /** CPU seconds of the gateways; null if unknown. */
  cpuSeconds: number | null;
  databaseCpuSeconds: number | null;
}

/** Results of one set-up, as medians over the rounds. */
export interface ScaleRow {
  setUp: string;
  requestsPerSecond: number;
  /** Requests per second, divided by those of one process in the same round; median over the rounds. */
  ratio: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicros: number | null;
  databaseCpuMicros: number | null;
  refused: number;
}

/**
 * Summarizes the rounds of a set-up. The ratio is the median of each round's ratio, because other load on the machine
 * changes from round to round.
 * @param reference samples of one process, in the same rounds
 */
export function scaleRow(setUp: string, samples: readonly ScaleSample[], reference: readonly ScaleSample[]): ScaleRow {
  const micros = (pick: (sample: ScaleSample) => number | null): number | null =>
    samples.some((sample) => pick(sample) === null)
      ? null
      : median(samples.map((sample) => ((pick(sample) ?? 0) * 1e6) / Math.max(1, sample.requests)));
  return {
    setUp,
    requestsPerSecond: median(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
    ratio: median(
      samples.map(
        ({ requestsPerSecond }, round) => requestsPerSecond / (reference[round]?.requestsPerSecond ?? Number.NaN),
      ),
    ),
    p50Ms: median(samples.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
    cpuMicros: micros(({ cpuSeconds }) => cpuSeconds),
    databaseCpuMicros: micros(({ databaseCpuSeconds }) => databaseCpuSeconds),
    refused: Math.max(...samples.map(({ refused }) => refused)),
  };
}

/**
 * Combines loads that ran in parallel. The p99 is that of the slowest process, because callers cannot choose their
 * process.
 */
export function together(loads: readonly LoadResult[]): Omit<LoadResult, 'seconds'> {
  const sum = (pick: (load: LoadResult) => number): number => loads.reduce((total, load) => total + pick(load), 0);
  const requests = sum((load) => load.requests);
  return {
    requests,
    refused: sum((load) => load.refused),
    requestsPerSecond: sum((load) => load.requestsPerSecond),
    p50Ms: sum((load) => load.p50Ms * load.requests) / Math.max(1, requests),
    p99Ms: Math.max(...loads.map((load) => load.p99Ms)),
    p999Ms: Math.max(...loads.map((load) => load.p999Ms)),
  };
}

/** Renders the rows as a Markdown table; empty without rows. */
export function renderScale(rows: readonly ScaleRow[], cpus: number): string {
  if (rows.length === 0) return '';
  const micros = (value: number | null): string => (value === null ? 'n/a' : value.toFixed(0));
  const lines = rows.map(
    ({ setUp, requestsPerSecond, ratio, p50Ms, p99Ms, cpuMicros, databaseCpuMicros, refused }) =>
      `| ${setUp} | ${requestsPerSecond.toFixed(0)} | ${ratio.toFixed(2)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${micros(cpuMicros)} | ${micros(databaseCpuMicros)} | ${refused} |`,
  );
  const head = `| reads on one Postgres, on ${cpus} processors with database and load | requests/s | × one process | p50 ms | p99 ms | CPU µs/req | database | not 200 |`;
  return [head, '|---|---|---|---|---|---|---|---|', ...lines, ''].join('\n');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
