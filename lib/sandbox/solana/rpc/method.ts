import type { SolanaChain } from '../chain';
import type { Json } from './json-rpc';
import type { Params } from './params';

/** Answers one JSON-RPC method. Throws RpcError for an invalid request. Any other error is a bug in the simulator. */
export type Method = (chain: SolanaChain, params: Params) => Json | Promise<Json>;

/** Node version that the simulator reports: the version of LiteSVM's runtime. */
export const API_VERSION = '4.3.0';

/** Wraps a value with the current slot. */
export function withContext(chain: SolanaChain, value: Json): Json {
  return { context: { apiVersion: API_VERSION, slot: chain.clock.now() }, value };
}
