import { CHAIN_METHODS } from './chain-methods';
import { ERC4337_METHODS, ETH_METHODS, NET_METHODS, WEB3_METHODS } from './eth';
import { REFUSALS, type Refusal } from './refused';
import type { RpcMethod } from './rpc-method';
import { SOLANA_METHODS } from './solana';
import { STARKNET_METHODS } from './starknet';
import { TRACING_METHODS } from './tracing';

export { refusalSentence } from './refused';
export type { Refusal } from './refused';
export type { RpcMethod, Tier } from './rpc-method';

/** All built-in methods of the RPC proxy, by family. */
export const METHODS: readonly RpcMethod[] = Object.freeze([
  ...ETH_METHODS,
  ...NET_METHODS,
  ...WEB3_METHODS,
  ...ERC4337_METHODS,
  ...CHAIN_METHODS,
  ...TRACING_METHODS,
  ...SOLANA_METHODS,
  ...STARKNET_METHODS,
]);

const BY_NAME: ReadonlyMap<string, RpcMethod | Refusal> = new Map(
  [...METHODS, ...REFUSALS].map((entry) => [entry.name, entry]),
);

const BY_LOWER_CASE_NAME: ReadonlyMap<string, string> = new Map(
  METHODS.map((method) => [method.name.toLowerCase(), method.name]),
);

const LONGEST_NAME = Math.max(...METHODS.map((method) => method.name.length));

/**
 * Looks up a method by its exact name. If only the letter case differs, the refusal suggests the supported name.
 *
 * @param extra methods that the operator added, by name. A listed or refused method takes precedence
 */
export function lookUpMethod(name: string, extra?: ReadonlyMap<string, RpcMethod>): RpcMethod | Refusal {
  return BY_NAME.get(name) ?? extra?.get(name) ?? unsupported(name);
}

function unsupported(name: string): Refusal {
  const replacement = name.length <= LONGEST_NAME ? BY_LOWER_CASE_NAME.get(name.toLowerCase()) : undefined;
  return replacement === undefined ? { name, reason: 'unsupported' } : { name, reason: 'unsupported', replacement };
}

export function isRefusal(found: RpcMethod | Refusal): found is Refusal {
  return 'reason' in found;
}
