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
 * Returns the request text for a network: the network's first method if the request's method belongs to another kind of
 * chain. Keeps incomplete requests and unknown methods.
 */
export function requestForNetwork(slug: string, text: string): string {
  const kind = describeNetwork(slug)?.kind;
  const check = checkRequest(text);
  if (kind === undefined || !check.ok) return text;
  return check.calls.some(({ method }) => kindOfMethod(method) !== kind)
    ? composeRequest(FIRST_METHODS[kind], [])
    : text;
}
