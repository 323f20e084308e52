import type { GatewayFigures } from '@/lib/protocol/operator-figures';

export interface DayTraffic {
  requests: number;
  failed: number;
  p95Ms: number | null;
}

export function trafficByDay(
  gateways: readonly Pick<GatewayFigures, 'trafficDays'>[],
): ReadonlyMap<string, DayTraffic> {
  const days = new Map<string, DayTraffic>();
  for (const { day, requests, failed, p95Ms } of gateways.flatMap(({ trafficDays }) => trafficDays ?? [])) {
    const sum = days.get(day);
    days.set(day, {
      requests: requests + (sum?.requests ?? 0),
      failed: failed + (sum?.failed ?? 0),
      p95Ms: p95Ms === null ? (sum?.p95Ms ?? null) : Math.max(p95Ms, sum?.p95Ms ?? 0),
    });
  }
  return days;
}
