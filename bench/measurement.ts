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
 * Returns the targets in the order of a round, counted from 1. Each target leaves the machine in a state that affects
 * the next. Over the rounds, each target therefore comes first, and after each other target, equally often.
 */
export function inTurn<T>(targets: readonly T[], round: number): readonly T[] {
  const first = Math.floor((round - 1) / 2) % targets.length;
  const order = [...targets.slice(first), ...targets.slice(0, first)];
  return round % 2 === 0 ? order.toReversed() : order;
}
