import { json } from '../../../http/call';
import type { Endpoint } from '../../../http/endpoint';
import { networkHealthOf } from '../../../rpc/network-health';

/**
 * GET /api/network-health: how the upstreams of each configured network do, for the console. Limited by client
 * address; names no URL.
 */
export const networkHealth: Endpoint = {
  path: '/api/network-health',
  sameOrigin: true,
  GET: (call, { rpc, consoleLimiter }) => {
    consoleLimiter.take(call.clientIp);
    return json({ networks: rpc.backends().map(networkHealthOf) });
  },
};
