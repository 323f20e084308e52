import { z } from 'zod';
import { json } from '../../../http/call';
import type { Endpoint, Route } from '../../../http/endpoint';
import type { Operation } from '../../../http/operation';
import { TOO_MANY_FROM_ADDRESS } from '../../openapi/refusals';
import type { AddressLimiter } from '../../../http/rate-limit/address-limiter';
import type { RpcNetworks } from '../../../upstreams/nodes/networks';

const rpcNetworksDocs: Operation = {
  id: 'listNetworks',
  tag: 'RPC',
  summary: 'List the networks',
  description: 'Public. Sorted by slug. Limited by client address.',
  credentials: [],
  responses: {
    200: {
      description: 'The slugs of all networks',
      schema: z.object({ networks: z.array(z.string()) }).meta({ id: 'NetworkList' }),
      examples: { some: { networks: ['base-mainnet', 'ethereum-mainnet', 'solana-mainnet'] } },
    },
    429: TOO_MANY_FROM_ADDRESS,
  },
};

export const rpcNetworksRoute: Route = { path: '/api/v1/crypto/rpc/networks', docs: { GET: rpcNetworksDocs } };

/** GET /crypto/rpc/networks: known networks, sorted. Public, rate-limited by client address. */
export function rpcNetworks({
  networks,
  addressLimiter,
}: {
  networks: RpcNetworks;
  addressLimiter: AddressLimiter;
}): Endpoint {
  return {
    ...rpcNetworksRoute,
    GET: (call) => {
      addressLimiter.take(call.clientIp);
      return json({ networks: networks.slugs });
    },
  };
}
