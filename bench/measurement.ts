import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadResult } from './load';
import type { Workload } from './workloads';

/** Results of one target at one number of connections, as medians over the rounds. */
export interface Row extends Omit<LoadResult, 'seconds'> {
  workload: string;
  target: string;
  connections: number;
  /** CPU time per request of the target's processes; null if unknown. */
  cpuMicros: number | null;
  /** CPU time per request of the database's processes; null without a database. */
  databaseCpuMicros: number | null;
}

export interface Plan {
  connections: number[];
  seconds: number;
  rounds: number;
  /** True if gateways render a page before the measurement. */
  pageFirst: boolean;
  workloads: readonly Workload[];
}

/**
 * Returns the order of the targets in a round, where rounds are counted from 1. Each target leaves the machine in a
 * state that affects the next target. Over the rounds, each target therefore comes first equally often, and follows
 * each other target equally often.
 */
export function inTurn<T>(targets: readonly T[], round: number): readonly T[] {
  const first = Math.floor((round - 1) / 2) % targets.length;
  const order = [...targets.slice(first), ...targets.slice(0, first)];
  return round % 2 === 0 ? order.toReversed() : order;
}

export type Law = 'constant' | 'logarithmic' | 'linear';

/** Times below this are too short to say anything about growth. */
const NOISE_MS = 1;

export function lawOf(timesMs: readonly number[], sizes: readonly number[]): Law {
  const growth = Math.max(NOISE_MS, timesMs.at(-1) ?? 0) / Math.max(NOISE_MS, timesMs[0] ?? 0);
  const exponent = Math.log(growth) / Math.log((sizes.at(-1) ?? 1) / (sizes[0] ?? 1));
  return exponent < 0.2 ? 'constant' : exponent < 0.6 ? 'logarithmic' : 'linear';
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @returns the time that the work took, and the longest time for which it blocked this thread */
export async function timed(work: () => Promise<unknown>): Promise<[tookMs: number, stopMs: number]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  // A timer records the delay, and must fire once more after the work.
  await sleep(2);
  delay.disable();
  return [tookMs, delay.max / 1e6];
}
