import { json } from '../../../http/call';
import type { Endpoint, Route } from '../../../http/endpoint';
import { networkHealthOf } from '../../../rpc/network-health';
import type { AddressLimiter } from '../../../http/rate-limit/address-limiter';
import type { RpcNetworks } from '../../../upstreams/nodes/networks';

export const networkHealthRoute: Route = { path: '/api/network-health', sameOrigin: true };

/**
 * GET /api/network-health: how the upstreams of each configured network do, for the console. Limited by client
 * address; names no URL.
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
