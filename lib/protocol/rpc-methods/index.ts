import { ETH_METHODS } from './eth';
import { REFUSALS, type Refusal } from './refused';
import type { RpcMethod } from './rpc-method';

export { refusalSentence } from './refusal-sentence';
export type { Refusal } from './refused';
export type { RpcMethod, Tier } from './rpc-method';

/** Every method that the RPC proxy forwards, family by family. The rows are frozen and shared. */
export const METHODS: readonly RpcMethod[] = Object.freeze([...ETH_METHODS]);

const BY_NAME: ReadonlyMap<string, RpcMethod | Refusal> = new Map(
  [...METHODS, ...REFUSALS].map((entry) => [entry.name, entry]),
);

/**
 * What the proxy does with a method: its table row, or a refusal. Names are compared exactly, no
 * prefix admits, and any string is safe to look up. Constant time.
 *
 * @param extra methods that the operator added, by name. They can add, and neither re-price a listed
 *   method nor admit one that the specification refuses by name.
 */
export function lookUpMethod(name: string, extra?: ReadonlyMap<string, RpcMethod>): RpcMethod | Refusal {
  return BY_NAME.get(name) ?? extra?.get(name) ?? { name, reason: 'unsupported' };
}

/** Whether a look-up ended in a refusal. */
export function isRefusal(found: RpcMethod | Refusal): found is Refusal {
  return 'reason' in found;
}
