'use client';

import { listNetworks } from '@/lib/client';
import { gatewayOptions } from './gateway';
import { NETWORKS_KEY } from './networks-key';
import { useRead } from './reads/use-read';

/**
 * Returns the slugs of this gateway's networks once other code has read them; empty until then. Loads neither the
 * list's code nor the network table.
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
