import { CHAIN_METHOD_EXAMPLES } from './examples-chain-methods';
import { ETH_EXAMPLES } from './examples-eth';
import { SOLANA_EXAMPLES } from './examples-solana';
import { STARKNET_EXAMPLES } from './examples-starknet';
import type { MethodExample } from './method-example';

export type { MethodExample, MethodParam } from './method-example';

/**
 * Descriptions and parameters of common methods, by name, for consoles. The most frequent methods of each kind of chain
 * come first.
 */
export const METHOD_EXAMPLES: ReadonlyMap<string, MethodExample> = new Map(
  [ETH_EXAMPLES, CHAIN_METHOD_EXAMPLES, SOLANA_EXAMPLES, STARKNET_EXAMPLES].flatMap((examples) =>
    Object.entries(examples),
  ),
);

/**
 * Returns a new `params` array with example values of a method's required parameters; empty for a method without
 * examples.
 */
export function exampleParams(method: string): unknown[] {
  const params = METHOD_EXAMPLES.get(method)?.params ?? [];
  return params.filter((param) => param.required).map((param) => structuredClone(param.example));
}
