import { createPublicClient, custom, type PublicClient, RpcRequestError } from 'viem';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import type { Backend } from './backend';
import type { ItemAnswer } from './node-request';
import type { RpcNetworks } from './networks';

const TIMEOUT_MS = 5_000;

interface NetworkClientOptions {
  /** Timeout of each call, covering all its attempts. Default: 5 s. */
  timeoutMs?: number;
}

/**
 * Creates a viem client for an EVM network. Its calls go to the gateway's own upstreams and are not metered. Calls
 * reject with an RpcRequestError if a node answered with an error. After any other failure, such as a missing upstream,
 * they reject with another viem error. EIP-3668 lookups revert, because the gateway never fetches a contract's URL.
 */
export function networkClient(rpc: RpcNetworks, slug: string, options: NetworkClientOptions = {}): PublicClient {
  const call = networkRequest(rpc, slug, options);
  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> =>
    call(method, params ?? []);
  return createPublicClient({
    transport: custom({ request }, { key: 'upstreams', name: `Upstreams of ${slug}`, retryCount: 0 }),
    cacheTime: 0,
    ccipRead: false,
  });
}

export type NetworkRequest = (method: string, params: unknown) => Promise<unknown>;

/**
 * Returns a function that sends requests to a network. It rejects with an RpcRequestError if a node answered with an
 * error.
 */
export function networkRequest(
  rpc: RpcNetworks,
  slug: string,
  { timeoutMs = TIMEOUT_MS }: NetworkClientOptions = {},
): NetworkRequest {
  return async (method, params) => {
    const backend = rpc.find(slug)?.backend;
    if (!backend) throw new Error(`No upstream is configured for ${slug}.`);
    const answer = await ask(backend, method, params, performance.now() + timeoutMs);
    try {
      return read(answer, slug, { method, params });
    } finally {
      backend.release([answer]);
    }
  };
}

/** Returns a function that sends requests to the EVM chain with this id; null if no such network has an upstream. */
export function chainRequest(
  rpc: RpcNetworks,
  chainId: number,
  options: NetworkClientOptions = {},
): NetworkRequest | null {
  const backend = rpc.backends().find(({ network }) => network.kind === 'evm' && network.chainId === chainId);
  return backend ? networkRequest(rpc, backend.network.slug, options) : null;
}

/** Sends a request. Only known reads may be sent more than once. */
function ask(backend: Backend, method: string, params: unknown, deadline: number): Promise<ItemAnswer> {
  const item = { method, params: JSON.stringify(params), paramsByName: false, id: '0' };
  const known = lookUpMethod(method);
  if (isRefusal(known) || known.sends) return backend.send(item, deadline);
  return backend.read(item, undefined, deadline);
}

function read(
  { kind, bytes, start, end }: ItemAnswer,
  slug: string,
  body: { method: string; params?: unknown },
): unknown {
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end));
  if (kind === 'result') return value;
  const { code, message, data } = value as { code?: unknown; message?: unknown; data?: unknown };
  throw new RpcRequestError({
    body,
    // Replaces the node's URL by the network's name, because nodes' URLs contain API keys.
    url: slug,
    error: {
      code: typeof code === 'number' ? code : -32603,
      message: String(message ?? 'The node answered with an error'),
      data,
    },
  });
}
