import { quantile } from './load';

/** One kind of hostile requests in one round: what paying callers felt in the idle window before, and under fire. */
export interface HostileWindow {
  kind: string;
  /** Milliseconds of each answer. */
  idleMs: readonly number[];
  firedMs: readonly number[];
  /** Hostile requests that were sent. */
  sent: number;
  /** How often each status answered them. */
  statuses: string;
}

/** What a paying caller feels of one kind of hostile requests. */
export interface HostileRow {
  kind: string;
  /** The median over the rounds. */
  firedP99Ms: number;
  /** Against the one idle baseline. */
  ratio: number;
  /** Of the round in which fewest were sent. */
  sent: number;
  statuses: string;
}

/** The idle baseline that all kinds are held against, and what it is made of. Times in milliseconds. */
export interface IdleBaseline {
  p99Ms: number;
  pooledP99Ms: number;
  medianP99Ms: number;
  lowestP99Ms: number;
  highestP99Ms: number;
  samples: number;
  windows: number;
}

/** The figures of all kinds. */
export interface HostileFigures {
  idle: IdleBaseline;
  rows: HostileRow[];
}

/**
 * One baseline for all kinds, and for each kind the median of its rounds. The baseline is the p99 of all idle samples
 * together, or the median of the idle windows' own p99 where that is lower: a few windows that somebody else's work on
 * the machine disturbed raise the former, and would make every kind look harmless.
 * @throws Error where nothing was measured
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
  if (pool.length === 0) throw new Error('There are no idle samples to hold anything against.');
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
