import { createPublicClient, custom, type PublicClient, RpcRequestError } from 'viem';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import type { Backend } from './backend';
import type { ItemAnswer } from './node-request';
import type { RpcNetworks } from './networks';

const TIMEOUT_MS = 5_000;

/** What a network client takes beside its network. */
export interface NetworkClientOptions {
  /** For each call, whatever it is retried on; 5 s unless given. */
  timeoutMs?: number;
}

/**
 * A viem client over the gateway's own upstreams of an EVM network, unmetered: it has their failover, their retries
 * and their circuit breakers, and adds no retries of its own. Identical reads in flight share one way upstream.
 * Calls reject with viem's errors: an RpcRequestError where a node answered with an error, else whatever of the
 * upstreams failed, wrapped; also where the network has no upstream, so that making a client never throws. A contract
 * that asks for data from a URL (EIP-3668) has reverted, and that is all: the contracts that are called are strangers',
 * and nothing but the upstreams is ever fetched.
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

/** Calls one method of a network, of any family. */
export type NetworkRequest = (method: string, params: unknown) => Promise<unknown>;

/** The same way to a network, bare. Rejects with an RpcRequestError where a node answered with an error. */
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

/** The same way to an EVM chain by its id; null where no network with it has an upstream. */
export function chainRequest(
  rpc: RpcNetworks,
  chainId: number,
  options: NetworkClientOptions = {},
): NetworkRequest | null {
  const backend = rpc.backends().find(({ network }) => network.kind === 'evm' && network.chainId === chainId);
  return backend ? networkRequest(rpc, backend.network.slug, options) : null;
}

/** Methods that are not known to read only go out once. */
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
    // Nodes' URLs hold keys: errors name the network instead.
    url: slug,
    error: {
      code: typeof code === 'number' ? code : -32603,
      message: String(message ?? 'The node answered with an error'),
      data,
    },
  });
}
