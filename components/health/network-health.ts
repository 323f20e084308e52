'use client';

import { askNetworkHealth, type NetworkHealth, type UpstreamHealth } from '@/lib/client';
import { useEffect, useMemo, useRef } from 'react';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import type { Read } from '@/lib/browser/reads/read-cache';
import { useRead, useReads } from '@/lib/browser/reads/use-read';

const REFRESH_EVERY_MS = 10_000;
const HEALTH_READ: Read<readonly NetworkHealth[]> = {
  key: ['network-health'],
  read: (signal) => askNetworkHealth(gatewayOptions(), { signal }),
  staleMs: REFRESH_EVERY_MS / 2,
  retries: 0,
};

export interface NetworksHealth {
  isKnown: boolean;
  /** Returns a network's health; null until the first answer. A network missing from the answer has no upstream. */
  healthOf: (slug: string) => NetworkHealth | null;
  /** Health of every network with an upstream; empty until the first answer. */
  all: readonly NetworkHealth[];
  updatedAtMs: number | null;
  /** Reason why the last refresh failed. The older data stays. */
  error: Error | null;
  refresh: () => void;
}

/**
 * Returns the health of all networks. Reads again every 10 s while the page is visible; reads stale data again when the
 * page becomes visible.
 */
export function useNetworkHealth(): NetworksHealth {
  const { data, error, updatedAtMs, refetch } = useRead({
    ...HEALTH_READ,
    everyMs: REFRESH_EVERY_MS,
    onReturn: true,
  });
  const bySlug = useMemo(() => (data ? new Map(data.map((health) => [health.network, health])) : null), [data]);
  const healthOf = (slug: string) => bySlug && (bySlug.get(slug) ?? { network: slug, upstreams: [] });
  return {
    isKnown: bySlug !== null,
    healthOf,
    all: data ?? [],
    updatedAtMs: updatedAtMs || null,
    error,
    refresh: () => void refetch(),
  };
}

/** Reads the health again after a call, because the call may have started a network or revealed a failed node. */
export function useHealthAfter(ended: object | null): void {
  const reads = useReads();
  const known = useRef(ended);
  useEffect(() => {
    if (ended === null || known.current === ended) return;
    known.current = ended;
    void reads.refresh(HEALTH_READ);
  }, [ended, reads]);
}

export const HEALTH_VERDICTS = ['healthy', 'degraded', 'failing', 'unused', 'unconfigured'] as const;
/** Verdict on a network: no upstream unhealthy, some unhealthy, none usable, none checked yet, or no upstream. */
export type HealthVerdict = (typeof HEALTH_VERDICTS)[number];

/**
 * Sums up a network's upstreams. Lagging upstreams serve older blocks, and upstreams in state `resting` answer after a
 * wait. A network with only such upstreams counts as degraded.
 */
export function healthVerdict({ upstreams }: Pick<NetworkHealth, 'upstreams'>): HealthVerdict {
  const count = (...states: readonly UpstreamHealth['state'][]) =>
    upstreams.filter(({ state }) => states.includes(state)).length;
  if (upstreams.length === 0) return 'unconfigured';
  if (count('unknown') === upstreams.length) return 'unused';
  if (count('lagging', 'resting', 'failing', 'wrongChain') === 0) return 'healthy';
  return count('failing', 'wrongChain', 'unknown') === upstreams.length ? 'failing' : 'degraded';
}

/** Returns the greatest height and the lowest latency among usable upstreams; null if unknown. */
export function bestOf({ upstreams }: Pick<NetworkHealth, 'upstreams'>): {
  height: string | null;
  latencyP50Ms: number | null;
} {
  const answering = upstreams.filter(({ state }) => state !== 'failing' && state !== 'wrongChain');
  const heights = answering.flatMap(({ height }) => (height === null ? [] : [BigInt(height)]));
  const latencies = answering.flatMap(({ latencyP50Ms }) => (latencyP50Ms === null ? [] : [latencyP50Ms]));
  return {
    height: heights.length === 0 ? null : heights.reduce((most, height) => (height > most ? height : most)).toString(),
    latencyP50Ms: latencies.length === 0 ? null : Math.min(...latencies),
  };
}
