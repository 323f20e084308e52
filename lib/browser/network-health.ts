'use client';

import { askNetworkHealth, type NetworkHealth, type UpstreamHealth } from '@/lib/client';
import { useEffect, useMemo, useRef } from 'react';
import { gatewayOptions } from './gateway';
import type { Read } from './reads/read-cache';
import { useRead, useReads } from './reads/use-read';

const REFRESH_EVERY_MS = 10_000;
const HEALTH_READ: Read<readonly NetworkHealth[]> = {
  key: ['network-health'],
  read: (signal) => askNetworkHealth(gatewayOptions(), { signal }),
  staleMs: REFRESH_EVERY_MS / 2,
  retries: 0,
};

/** What is known of every network, by slug, and since when. */
export interface NetworksHealth {
  /** Whether there was an answer yet. */
  isKnown: boolean;
  /** How a listed network is: one that the answer does not name has no upstream. null until there is an answer. */
  healthOf: (slug: string) => NetworkHealth | null;
  /** Of every network that has an upstream; empty until there is an answer. */
  all: readonly NetworkHealth[];
  /** Of the last answer, Unix time in milliseconds. */
  updatedAtMs: number | null;
  /** Why the last refresh failed; what was known before is kept. */
  error: Error | null;
  refresh: () => void;
}

/** The health of all networks, read again every 10 s while the page is visible, and when it becomes so. */
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

/** Reads the health again when a call has ended, which the gateway has learnt from: it starts what nobody had used, or finds that a node is gone. */
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
/**
 * A network in a word: all upstreams in order; some not, but calls are served; none in order; none asked yet;
 * none there to ask.
 */
export type HealthVerdict = (typeof HEALTH_VERDICTS)[number];

/** Sums up the upstreams of a network. One that lags still answers, with older blocks; one that rests will again. */
export function healthVerdict({ upstreams }: Pick<NetworkHealth, 'upstreams'>): HealthVerdict {
  const count = (...states: readonly UpstreamHealth['state'][]) =>
    upstreams.filter(({ state }) => states.includes(state)).length;
  if (upstreams.length === 0) return 'unconfigured';
  if (count('unknown') === upstreams.length) return 'unused';
  if (count('lagging', 'resting', 'failing', 'wrongChain') === 0) return 'healthy';
  return count('failing', 'wrongChain', 'unknown') === upstreams.length ? 'failing' : 'degraded';
}

/** The newest height and the shortest latency among the upstreams that answer; null where none is known. */
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
