import { quantile } from './load';

/** One round with one kind of hostile requests: latencies of paying callers before and during the attack. */
export interface HostileWindow {
  kind: string;
  /** Latency of each answer, in milliseconds. */
  idleMs: readonly number[];
  firedMs: readonly number[];
  sent: number;
  /** Number of answers to the hostile requests, by status. */
  statuses: string;
}

interface HostileRow {
  kind: string;
  firedP99Ms: number;
  /** p99 under attack, divided by the idle baseline. */
  ratio: number;
  /** Smallest number of hostile requests in a round. */
  sent: number;
  statuses: string;
}

/** Idle latencies that are compared with those under every kind of attack. Times are in milliseconds. */
interface IdleBaseline {
  p99Ms: number;
  pooledP99Ms: number;
  medianP99Ms: number;
  lowestP99Ms: number;
  highestP99Ms: number;
  samples: number;
  windows: number;
}

export interface HostileFigures {
  idle: IdleBaseline;
  rows: HostileRow[];
}

/**
 * Computes one idle baseline, and for each kind the median of its rounds.
 *
 * The baseline is the lower of two values: the p99 of all idle samples, and the median of the p99 of each window. A few
 * windows that other processes disturbed would raise the p99 of all samples and make every attack look harmless.
 * @throws Error if there are no idle samples
 */
export function hostileFigures(windows: readonly HostileWindow[]): HostileFigures {
  const idle = idleBaseline(windows.map(({ idleMs }) => idleMs));
  const kinds = [...new Set(windows.map(({ kind }) => kind))];
  return {
    idle,
    rows: kinds.map((kind) =>
      rowOf(
        windows.filter((window) => window.kind === kind),
        idle,
      ),
    ),
  };
}

function idleBaseline(windows: readonly (readonly number[])[]): IdleBaseline {
  const pool = Float64Array.from(windows.flat()).sort();
  if (pool.length === 0) throw new Error('There are no idle samples to compare with.');
  const p99s = Float64Array.from(windows, p99).sort();
  const pooledP99Ms = quantile(pool, 0.99);
  const medianP99Ms = quantile(p99s, 0.5);
  return {
    p99Ms: Math.min(pooledP99Ms, medianP99Ms),
    pooledP99Ms,
    medianP99Ms,
    lowestP99Ms: quantile(p99s, 0),
    highestP99Ms: quantile(p99s, 1),
    samples: pool.length,
    windows: windows.length,
  };
}

function rowOf(rounds: readonly HostileWindow[], idle: IdleBaseline): HostileRow {
  const firedP99Ms = quantile(Float64Array.from(rounds, ({ firedMs }) => p99(firedMs)).sort(), 0.5);
  const { kind, sent, statuses } = rounds.reduce((fewest, round) => (round.sent < fewest.sent ? round : fewest));
  return { kind, firedP99Ms, ratio: firedP99Ms / idle.p99Ms, sent, statuses };
}

function p99(samplesMs: readonly number[]): number {
  return quantile(Float64Array.from(samplesMs).sort(), 0.99);
}
