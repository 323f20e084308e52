import type { LoadResult } from './load';
import type { Workload } from './workloads';

/** One target at one number of connections, in medians over its rounds. */
export interface Row extends Omit<LoadResult, 'seconds'> {
  workload: string;
  target: string;
  connections: number;
  /** CPU time of the target's process for each request; null where it cannot be read. */
  cpuMicros: number | null;
  /** The same of its database's processes; null where it has none. */
  databaseCpuMicros: number | null;
}

/** How often and how long is measured. */
export interface Plan {
  connections: number[];
  seconds: number;
  rounds: number;
  /** Whether gateways render a page before they are measured. */
  pageFirst: boolean;
  workloads: readonly Workload[];
}

/**
 * The targets in the order of this round, which is counted from 1: since whoever follows another finds the machine as that
 * one left it, each comes first, and behind each other one, as often as any.
 */
export function inTurn<T>(targets: readonly T[], round: number): readonly T[] {
  const first = Math.floor((round - 1) / 2) % targets.length;
  const order = [...targets.slice(first), ...targets.slice(0, first)];
  return round % 2 === 0 ? order.toReversed() : order;
}
