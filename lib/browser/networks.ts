'use client';

import {
  findNetwork,
  furtherNetwork,
  FURTHER_NETWORK_SLUG,
  type Network,
  NETWORKS,
  SANDBOX_TESTNET,
} from '@/lib/protocol/networks';
import { useMemo } from 'react';
import { listNetworks } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './networks-key';
import { useRead } from './reads/use-read';

/** The list is limited to 30 reads a minute and changes with a restart of the gateway. */
const STALE_AFTER_MS = 15 * 60_000;

/**
 * The networks this gateway lists. Until its answer arrives, and if it does not, the specification's own: the
 * picker works from the first moment.
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
  const networks = useMemo(() => (data ? data.flatMap((slug) => describeNetwork(slug) ?? []) : NETWORKS), [data]);
  return { networks, isLive: data !== undefined, error, retry: () => void refetch() };
}

/** What is known about a slug: one of the table, or a further family of the operator's; null if it is no slug. */
export function describeNetwork(slug: string): Network | null {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  return findNetwork(slug) ?? (FURTHER_NETWORK_SLUG.test(slug) ? furtherNetwork(slug) : null);
}
