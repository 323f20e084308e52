import type { UpstreamNode } from './upstream-node';

export interface HedgeDelayOptions {
  minDelayMs: number;
  maxDelayMs: number;
}

/** Before there are enough measurements. */
const INITIAL_MS = 250;
const ANSWERS_MIN = 8;
const QUANTILE = 0.95;

/**
 * How long to wait for a read before another upstream is asked as well: the 95th percentile of the upstream that is
 * fastest at this method, within bounds. Each upstream's latencies are measured apart, on its own answers, so a
 * slow one drives up only its own percentile and not the least of them; and the answers of a lagging or failing one
 * do not count.
 * @returns whole milliseconds.
 */
export function hedgeDelayMs(nodes: readonly UpstreamNode[], method: string, { minDelayMs, maxDelayMs }: HedgeDelayOptions): number {
  let least = Infinity;
  for (const node of nodes) {
    if (node.health.isDoubtful) continue;
    const latencyMs = node.latencyOf(method, QUANTILE, ANSWERS_MIN);
    if (latencyMs !== null && latencyMs < least) least = latencyMs;
  }
  return Math.ceil(Math.min(maxDelayMs, Math.max(minDelayMs, least === Infinity ? INITIAL_MS : least)));
}
