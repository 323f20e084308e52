import { Drain } from '../../http/drain-server';
import { unreadyNetworks } from '../../rpc/network-health';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { livez, readyz } from '../probes';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Tells supervisors and load balancers whether the gateway is ready for calls. */
export function openProbes(
  { config: { readiness } }: Ground,
  { store, networks }: { store: { unready(): Promise<readonly string[]> }; networks: RpcNetworks },
) {
  const drain = new Drain();
  return {
    drain,
    endpoints: () => [
      livez(),
      readyz({
        readiness: {
          drain: () => (drain.isDraining ? ['The gateway is stopping.'] : []),
          store: () => store.unready(),
          networks: () => unreadyNetworks(networks, readiness.networks),
        },
      }),
    ],
  } satisfies Capability & { drain: Drain };
}
