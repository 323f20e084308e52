import type { SolanaChain } from '../chain';
import type { Json } from './json';
import type { Params } from './params';

/** Answers one JSON-RPC method. What it throws other than an RpcError is the stand-in's own fault. */
export type Method = (chain: SolanaChain, params: Params) => Json | Promise<Json>;

/** The version that this stand-in reports: that of the runtime inside LiteSVM. */
export const API_VERSION = '4.3.0';

/** A value with the slot for which it holds. */
export function withContext(chain: SolanaChain, value: Json): Json {
  return { context: { apiVersion: API_VERSION, slot: chain.clock.now() }, value };
}
