import { json } from '../../../http/call';
import type { Endpoint } from '../../../http/endpoint';
import { rpcNetworksDocs } from './docs';

/** GET /crypto/rpc/networks: the live list of networks, sorted. Public, limited by client address. */
export const rpcNetworks: Endpoint = {
  path: '/api/v1/crypto/rpc/networks',
  docs: { GET: rpcNetworksDocs },
  GET: (call, gateway) => {
    gateway.addressLimiter.take(call.clientIp);
    return json({ networks: gateway.rpc.slugs });
  },
};
