import type { Logger } from 'pino';
import type { RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import type { Call, Reply } from '../http/call';
import type { Backend } from '../upstreams/nodes/backend';
import { admitMethods } from './admit';
import { upstreamFailed, forward } from './forward';

interface FreeNetwork {
  network: Network;
  backend: Backend;
}

/**
 * Answers a free call. The endpoint applies its own limits first.
 * @throws ApiError 400 for refused methods, or UPSTREAM_FAILED
 */
export async function answerFree(
  body: RpcRequestBody,
  call: Call,
  { network, backend }: FreeNetwork,
  { extraMethods, log }: { extraMethods: ReadonlyMap<string, RpcMethod>; log: Logger },
): Promise<Reply> {
  const admitted = admitMethods(body.items, network, extraMethods);
  call.record.ofNetwork(network);
  try {
    const outcome = await forward(body, admitted, backend, call);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: outcome.body };
  } catch (error) {
    throw upstreamFailed(error, network, call, log);
  }
}
