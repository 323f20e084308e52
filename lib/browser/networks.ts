'use client';

import { useQuery } from '@tanstack/react-query';
import { findNetwork, furtherNetwork, FURTHER_NETWORK_SLUG, type Network, NETWORKS, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { useMemo } from 'react';
import { listNetworks } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './networks-key';

/** The list is limited to 30 reads a minute and changes with a restart of the gateway. */
const STALE_AFTER_MS = 15 * 60_000;

/**
 * The networks this gateway lists. Until its answer arrives, and if it does not, the specification's own: the
 * picker works from the first moment.
 */
export function useNetworks(): { networks: readonly Network[]; isLive: boolean; error: Error | null; retry: () => void } {
  const query = useQuery({
    queryKey: NETWORKS_KEY,
    queryFn: ({ signal }) => listNetworks(gatewayOptions(), { signal }),
    staleTime: STALE_AFTER_MS,
  });
  const networks = useMemo(() => (query.data ? query.data.flatMap((slug) => describeNetwork(slug) ?? []) : NETWORKS), [query.data]);
  return { networks, isLive: query.data !== undefined, error: query.error, retry: () => void query.refetch() };
}

/** What is known about a slug: one of the table, or a further family of the operator's; null if it is no slug. */
export function describeNetwork(slug: string): Network | null {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? (FURTHER_NETWORK_SLUG.test(slug) ? furtherNetwork(slug) : null);
}
