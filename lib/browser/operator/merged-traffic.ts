import type { GatewayFigures } from '@/lib/protocol/gateway-figures';

/** Traffic of all processes; null for what is not known. */
export interface MergedTraffic {
  perSecond: number | null;
  /** Share of requests that failed, 0 to 1. */
  errorShare: number | null;
  /** Of the slowest process, because percentiles cannot be added. */
  p95Ms: number | null;
  /** Longest window of a process. */
  windowMs: number | null;
}

export function mergedTraffic(gateways: readonly Pick<GatewayFigures, 'traffic'>[]): MergedTraffic {
  const known = gateways.flatMap(({ traffic }) => traffic ?? []);
  if (known.length === 0) return { perSecond: null, errorShare: null, p95Ms: null, windowMs: null };
  const requests = known.reduce((sum, each) => sum + each.requests, 0);
  const durations = known.flatMap(({ p95Ms }) => p95Ms ?? []);
  return {
    perSecond: known.reduce((sum, each) => sum + (each.requests / each.windowMs) * 1_000, 0),
    errorShare: requests === 0 ? null : known.reduce((sum, { failed }) => sum + failed, 0) / requests,
    p95Ms: durations.length === 0 ? null : Math.max(...durations),
    windowMs: Math.max(...known.map(({ windowMs }) => windowMs)),
  };
}
