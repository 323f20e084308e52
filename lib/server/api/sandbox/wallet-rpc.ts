import type { Logger } from 'pino';
import { requestError } from '@/lib/protocol/errors';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import type { Endpoint, Route } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import { requireKnownHost } from '../../http/known-host';
import { answerFree } from '../../rpc/free-call';
import type { RpcNetworks } from '../../upstreams/nodes/networks';

export const sandboxWalletRpcRoute: Route = { path: '/api/sandbox/rpc/{network}' };

interface SandboxWalletRpcParts {
  networks: RpcNetworks;
  publicUrls: readonly string[];
  requestBytesMax: number;
  log: Logger;
}

/**
 * POST /api/sandbox/rpc/{network}: a simulated chain for wallets, which send no credential. Allows only methods that
 * the RPC proxy allows, so that web pages cannot change the chain's state directly. Only in the sandbox.
 */
export function sandboxWalletRpc({ networks, publicUrls, requestBytesMax, log }: SandboxWalletRpcParts): Endpoint {
  return {
    ...sandboxWalletRpcRoute,
    POST: async (call) => {
      requireKnownHost(call, publicUrls);
      const slug = call.params.network ?? '';
      const target = networks.find(slug);
      if (!target?.standIn || !target.backend)
        throw requestError('UNSUPPORTED_NETWORK', `There is no stand-in chain ${JSON.stringify(slug.slice(0, 80))}.`);
      requireJson(call);
      const body = parseRpcBody(await call.readBody(requestBytesMax));
      return answerFree(
        body,
        call,
        { network: target.network, backend: target.backend },
        { extraMethods: networks.extraMethods, log },
      );
    },
  };
}
