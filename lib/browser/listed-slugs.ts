'use client';

import { listNetworks } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './networks-key';
import { useRead } from './reads/use-read';

/** The slugs of the networks that this gateway lists, once something else has read them: nothing is asked for here, and no table of networks is loaded. Empty until then. */
export function useListedSlugs(): readonly string[] {
  return (
    useRead<readonly string[]>({
      key: NETWORKS_KEY,
      read: (signal) => listNetworks(gatewayOptions(), { signal }),
      enabled: false,
    }).data ?? []
  );
}
