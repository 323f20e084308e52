import { json } from '../../../http/call';
import type { Endpoint, Route } from '../../../http/endpoint';
import { networkHealthOf } from '../../../rpc/network-health';
import type { AddressLimiter } from '../../../http/rate-limit/address-limiter';
import type { RpcNetworks } from '../../../upstreams/nodes/networks';

export const networkHealthRoute: Route = { path: '/api/network-health', sameOrigin: true };

/**
 * GET /api/network-health: upstream states of each network, for the console. Contains no URL. Limited by client
 * address.
 */
export function networkHealth({
  networks,
  consoleLimiter,
}: {
  networks: RpcNetworks;
  consoleLimiter: AddressLimiter;
}): Endpoint {
  return {
    ...networkHealthRoute,
    GET: (call) => {
      consoleLimiter.take(call.clientIp);
      return json({ networks: networks.backends().map(networkHealthOf) });
    },
  };
}
