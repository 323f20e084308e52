'use client';

import { listNetworks } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './networks-key';

/** The slugs of the networks that this gateway lists, once something else has read them: nothing is asked for here, and no table of networks is loaded. Empty until then. */
export function useListedSlugs(): readonly string[] {
  return useQuery<readonly string[]>({ queryKey: NETWORKS_KEY, queryFn: ({ signal }) => listNetworks(gatewayOptions(), { signal }), enabled: false }).data ?? [];
}
