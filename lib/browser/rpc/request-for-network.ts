import type { ChainKind } from '@/lib/protocol/networks';
import { describeNetwork } from '../networks';
import { checkRequest, composeRequest } from './request-text';
import { kindOfMethod } from './methods/kind-of-method';

const FIRST_METHODS: Record<ChainKind, string> = {
  evm: 'eth_blockNumber',
  solana: 'getSlot',
  starknet: 'starknet_blockNumber',
};

/**
 * A request text for the network: the same one, or, where it calls a method of another kind of chain, the first of
 * the network's own kind. What is no request yet, and methods that no network offers, are somebody's work under way
 * and kept.
 */
export function requestForNetwork(slug: string, text: string): string {
  const kind = describeNetwork(slug)?.kind;
  const check = checkRequest(text);
  if (kind === undefined || !check.ok) return text;
  return check.calls.some(({ method }) => kindOfMethod(method) !== kind)
    ? composeRequest(FIRST_METHODS[kind], [])
    : text;
}
