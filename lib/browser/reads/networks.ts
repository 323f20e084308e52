'use client';

import { describeFurtherNetwork, findNetwork, type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { useMemo } from 'react';
import { listNetworks } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './known-keys';
import { useIsConnected } from './settings';
import { useRead } from './use-read';

/** The gateway limits reads of the list to 30 a minute, and the list changes only with a restart. */
const STALE_AFTER_MS = 15 * 60_000;

/**
 * Returns the gateway's networks, those with an upstream first. Until the list arrives, returns the API specification's
 * networks, so that the picker works immediately.
 */
export function useNetworks(): {
  networks: readonly Network[];
  isLive: boolean;
  error: Error | null;
  retry: () => void;
} {
  const { data, error, refetch } = useRead({
    key: NETWORKS_KEY,
    read: (signal) => listNetworks(gatewayOptions(), { signal }),
    staleMs: STALE_AFTER_MS,
  });
  const isConnected = useIsConnected();
  const networks = useMemo(() => {
    const listed = data ? data.flatMap((slug) => describeNetwork(slug) ?? []) : NETWORKS;
    return [...listed.filter(({ slug }) => isConnected(slug)), ...listed.filter(({ slug }) => !isConnected(slug))];
  }, [data, isConnected]);
  return { networks, isLive: data !== undefined, error, retry: () => void refetch() };
}

/** Describes a network from the table, or an operator's own network; null for an invalid slug. */
export function describeNetwork(slug: string): Network | null {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? describeFurtherNetwork(slug);
}
