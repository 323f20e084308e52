import { CHAIN_METHOD_EXAMPLES } from './examples-chain-methods';
import { ETH_EXAMPLES } from './examples-eth';
import { SOLANA_EXAMPLES } from './examples-solana';
import { STARKNET_EXAMPLES } from './examples-starknet';
import type { MethodExample } from './method-example';

export type { MethodExample, MethodParam, ParamType } from './method-example';

/**
 * Descriptions and parameters of the methods that people use most, by method name. For consoles; the proxy does not read it.
 * Each kind of chain has its methods in order of use: what applications call all the time (reads of state, heads, receipts, sends)
 * first, tools of nodes and traces last. The order is fixed, by experience, and by no count.
 */
export const METHOD_EXAMPLES: ReadonlyMap<string, MethodExample> = new Map(
  [ETH_EXAMPLES, CHAIN_METHOD_EXAMPLES, SOLANA_EXAMPLES, STARKNET_EXAMPLES].flatMap((examples) =>
    Object.entries(examples),
  ),
);

/**
 * A ready-to-send `params` array for a method: its required parameters in order. A fresh copy each
 * time. Empty for a method without an example.
 */
export function exampleParams(method: string): unknown[] {
  const params = METHOD_EXAMPLES.get(method)?.params ?? [];
  return params.filter((param) => param.required).map((param) => structuredClone(param.example));
}
