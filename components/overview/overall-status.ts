'use client';

import { type HealthVerdict, healthVerdict } from '@/components/health/network-health';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { NETWORKS_KEY } from '@/lib/browser/reads/known-keys';
import { useRead } from '@/lib/browser/reads/use-read';
import { listNetworks, type NetworkHealth } from '@/lib/client';

/** Maximum age of a check that counts as current. */
export const RECENT_MS = 600_000;

/** `verdict` is `unused` instead of `healthy` if the latest check is too old. */
export interface NetworkStatus {
  network: string;
  verdict: HealthVerdict;
}

/** State of the whole gateway. `unchecked`: no network was checked, and no fault is known. */
export type OverallState = 'unchecked' | 'healthy' | 'degraded' | 'failing';

/**
 * Returns the status of every network over the last 10 minutes.
 * @param listed slugs of the gateway's networks; a network without an entry in `health` has no upstream
 */
export function networkStatuses(
  listed: readonly string[],
  health: readonly NetworkHealth[],
  nowMs: number,
): readonly NetworkStatus[] {
  const known = new Map(health.map((each) => [each.network, each]));
  const slugs = new Set([...listed, ...known.keys()]);
  return [...slugs].map((network) => {
    const entry = known.get(network);
    const verdict = entry === undefined ? 'unconfigured' : healthVerdict(entry);
    return {
      network,
      verdict: entry !== undefined && verdict === 'healthy' && isOld(entry, nowMs) ? 'unused' : verdict,
    };
  });
}

/** Sums up networks and models. Unused and unconnected networks do not count as faults. */
export function overallState(statuses: readonly NetworkStatus[], modelsOffline: number): OverallState {
  const count = (...verdicts: readonly HealthVerdict[]) =>
    statuses.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const serving = count('healthy', 'degraded');
  if (count('failing') > 0 && serving === 0) return 'failing';
  if (count('failing', 'degraded') > 0 || modelsOffline > 0) return 'degraded';
  return serving > 0 ? 'healthy' : 'unchecked';
}

function isOld({ upstreams }: NetworkHealth, nowMs: number): boolean {
  const times = upstreams.flatMap(({ checkedAtMs }) => checkedAtMs ?? []);
  return times.length > 0 && Math.max(...times) < nowMs - RECENT_MS;
}

/**
 * Returns the slugs of this gateway's networks once other code has read them; empty until then. Does not load the
 * network table.
 */
export function useListedSlugs(): readonly string[] {
  return (
    useRead<readonly string[]>({
      key: NETWORKS_KEY,
      read: (signal) => listNetworks(gatewayOptions(), { signal }),
      enabled: false,
    }).data ?? []
  );
}
