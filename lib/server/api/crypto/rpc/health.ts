import type { Endpoint, Route } from '../../../http/endpoint';
import { KeptJson } from '../../../http/kept-json';
import { networkHealthOf } from '../../../rpc/network-health';
import type { AddressLimiter } from '../../../http/rate-limit/address-limiter';
import type { RpcNetworks } from '../../../upstreams/nodes/networks';

export const networkHealthRoute: Route = { path: '/api/network-health', sameOrigin: true };

/**
 * GET /api/network-health: the state of each network's upstreams, for the console. The state is at most 100 ms old and
 * contains no URLs. Rate-limited by client address.
 */
export function networkHealth({
  networks,
  consoleLimiter,
}: {
  networks: RpcNetworks;
  consoleLimiter: AddressLimiter;
}): Endpoint {
  const kept = new KeptJson();
  return {
    ...networkHealthRoute,
    GET: (call) => {
      consoleLimiter.take(call.clientIp);
      return kept.reply(call, '', () => ({ networks: networks.backends().map(networkHealthOf) }));
    },
  };
}
