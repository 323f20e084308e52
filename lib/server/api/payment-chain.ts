import type { Logger } from 'pino';
import { requestError } from '@/lib/protocol/errors';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import type { Endpoint, Route } from '../http/endpoint';
import { requireJson } from '../http/json-body';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import type { Rails } from '../payments/rail-terms';
import { answerFree } from '../rpc/free-call';
import type { RpcNetworks } from '../upstreams/nodes/networks';

/**
 * Cheap RPC methods that the console needs to prepare a payment from a Solana wallet. EVM wallets read their chain
 * themselves.
 */
const METHODS: ReadonlySet<string> = new Set(['getAccountInfo', 'getLatestBlockhash', 'getTokenAccountsByOwner']);
const BODY_BYTES_MAX = 4_096;

export const paymentChainRoute: Route = { path: '/api/payment-chain/{network}', sameOrigin: true };

/**
 * POST /api/payment-chain/{network}: free reads of a chain, for drafting a wallet's first payment in the console.
 * Accepts one JSON-RPC call per request, on networks with a payment rail. Rate-limited by client address.
 */
export function paymentChain({
  networks,
  rails,
  consoleLimiter,
  log,
}: {
  networks: RpcNetworks;
  rails: Rails;
  consoleLimiter: AddressLimiter;
  log: Logger;
}): Endpoint {
  return {
    ...paymentChainRoute,
    POST: async (call) => {
      consoleLimiter.take(call.clientIp);
      const slug = call.params.network ?? '';
      const target = networks.find(slug);
      if (!target?.backend || !rails.terms.some(({ rpcNetwork }) => rpcNetwork === slug))
        throw requestError(
          'UNSUPPORTED_NETWORK',
          `This gateway accepts no payments on ${JSON.stringify(slug.slice(0, 80))}.`,
        );
      requireJson(call);
      const body = parseRpcBody(await call.readBody(BODY_BYTES_MAX));
      const refused = body.items.find(({ method }) => !METHODS.has(method));
      if (refused !== undefined || body.items.length > 1)
        throw requestError(
          'UNSUPPORTED_METHOD',
          `This path accepts one call per request: ${[...METHODS].join(', ')}. Send all other calls to POST /api/v1/crypto/rpc/${slug}.`,
        );
      return answerFree(
        body,
        call,
        { network: target.network, backend: target.backend },
        { extraMethods: networks.extraMethods, log },
      );
    },
  };
}
