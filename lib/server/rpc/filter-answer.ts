import type { RpcRequestBody } from '@/lib/protocol/jsonrpc/rpc-request';
import type { Network } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';

/** JSON-RPC 2.0, section 5.1: the method does not exist. */
const METHOD_NOT_FOUND = -32601;

/**
 * The answer to a filter method that comes alone: an error of JSON-RPC, which ethers and web3.js take for a node without
 * filters and poll eth_getLogs instead; after a 400 their subscriptions are dead. ethers looks for Geth's words, "the
 * method … does not exist".
 * @returns null for every other request: in a batch the whole batch is refused (spec, RPC proxy rule 1), and so is it
 *   on networks that are not EVM, where eth_getLogs is no more at home than filters are
 */
export function filterAnswer({ batch, items }: RpcRequestBody, { kind }: Pick<Network, 'kind'>): string | null {
  const [item] = items;
  if (batch || item === undefined || kind !== 'evm') return null;
  const found = lookUpMethod(item.method);
  if (!isRefusal(found) || found.reason !== 'filter') return null;
  return `{"jsonrpc":"2.0","id":${item.id},"error":${JSON.stringify({ code: METHOD_NOT_FOUND, message: sentence(item.method) })}}`;
}

function sentence(method: string): string {
  return `Stateful filter method not supported: the method ${method} does not exist here. A filter lives on one node, and calls reach several; use eth_getLogs with a block range instead.`;
}
