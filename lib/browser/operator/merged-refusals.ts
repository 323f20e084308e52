import type { GatewayFigures } from '@/lib/protocol/gateway-figures';

/** Merges error counts by code over all gateways. Sorts by count, then by code. */
export function mergedRefusals(
  gateways: readonly Pick<GatewayFigures, 'refusals'>[],
): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { refusals } of gateways)
    for (const [code, count] of Object.entries(refusals)) counts.set(code, (counts.get(code) ?? 0) + count);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}
