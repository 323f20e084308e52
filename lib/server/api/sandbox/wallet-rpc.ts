import { requestError } from '@/lib/protocol/errors';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import type { Endpoint } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import { requireKnownHost } from '../../http/known-host';
import { admitMethods } from '../../rpc/admit';
import { upstreamFailed } from '../../rpc/failure-error';
import { forward } from '../../rpc/forward';

/**
 * POST /api/sandbox/rpc/{network}: a stand-in chain for wallets, which send no credential. The same methods as the
 * proxy's, so none that would let a page rewrite the chain. Absent in live.
 */
export const sandboxWalletRpc: Endpoint = {
  path: '/api/sandbox/rpc/{network}',
  POST: async (call, gateway) => {
    requireKnownHost(call, gateway.config);
    const slug = call.params.network ?? '';
    const target = gateway.rpc.find(slug);
    if (!target?.standIn || !target.backend) throw requestError('UNSUPPORTED_NETWORK', `There is no stand-in chain ${JSON.stringify(slug.slice(0, 80))}.`);
    requireJson(call);
    const body = parseRpcBody(await call.readBody(gateway.config.rpc.requestBytesMax));
    const admitted = admitMethods(body.items, target.network, gateway.rpc.extraMethods);
    try {
      const outcome = await forward(body, admitted, target.backend, call.whenGone);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: outcome.body };
    } catch (error) {
      throw upstreamFailed(error, target.network, call, gateway.log);
    }
  },
};
