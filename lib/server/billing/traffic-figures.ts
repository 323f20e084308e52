import type { TrafficSample } from '../db/traffic-days';

/** Upper bounds in seconds of the buckets for request durations. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const MOST = 0.95;

export interface TrafficFigures {
  requests: number;
  failed: number;
  /** Duration that 95 of 100 requests did not exceed; null if there were none. */
  p95Ms: number | null;
}

/** @param bounds upper bounds in seconds of the sample's buckets */
export function figuresOf({ requests, failed, counts }: TrafficSample, bounds: readonly number[]): TrafficFigures {
  const isKnown = requests > 0 && counts.length === bounds.length;
  return { requests, failed, p95Ms: isKnown ? durationOf(counts, requests * MOST, bounds) : null };
}

/** Returns the duration in milliseconds that `rank` requests do not exceed. Interpolates within a bucket. */
function durationOf(counts: readonly number[], rank: number, bounds: readonly number[]): number {
  let below = 0;
  for (const [index, count] of counts.entries()) {
    const [from, to] = [bounds[index - 1] ?? 0, bounds[index] ?? 0];
    if (below + count >= rank && count > 0) return (from + ((to - from) * (rank - below)) / count) * 1_000;
    below += count;
  }
  return (bounds.at(-1) ?? 0) * 1_000;
}
