import type { RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';

/** JSON-RPC 2.0, section 5.1: the method does not exist. */
const METHOD_NOT_FOUND = -32601;

/**
 * Answers a single filter method with a JSON-RPC error, so that ethers and web3.js poll eth_getLogs instead. Status 400
 * would end their subscriptions. ethers looks for Geth's words "the method … does not exist" in the message.
 * @returns null for other requests. A filter in a batch (spec, RPC proxy rule 1) or on a network without eth_getLogs is
 * refused
 */
export function filterAnswer({ batch, items }: RpcRequestBody, { kind }: Pick<Network, 'kind'>): string | null {
  const [item] = items;
  if (batch || item === undefined || kind !== 'evm') return null;
  const found = lookUpMethod(item.method);
  if (!isRefusal(found) || found.reason !== 'filter') return null;
  return `{"jsonrpc":"2.0","id":${item.id},"error":${JSON.stringify({ code: METHOD_NOT_FOUND, message: sentence(item.method) })}}`;
}

function sentence(method: string): string {
  return `Stateful filter method not supported: the method ${method} does not exist here. A filter exists on one node only, and calls go to several nodes. Use eth_getLogs with a block range instead.`;
}
