import type { ChainKind } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { describeNetwork } from './networks';
import { checkRequest, composeRequest } from './request-text';

const FIRST_METHODS: Record<ChainKind, string> = { evm: 'eth_blockNumber', solana: 'getSlot', starknet: 'starknet_blockNumber' };

/**
 * A request text that the network can answer: the same one, or, where it calls a method of another family, that
 * family's first. `keepRefused` tells whether methods that no network offers are kept, as somebody's work under
 * way. Text that is no request yet is always kept.
 */
export function requestForNetwork(slug: string, text: string, { keepRefused }: { keepRefused: boolean }): string {
  const kind = describeNetwork(slug)?.kind;
  const check = checkRequest(text);
  if (kind === undefined || !check.ok) return text;
  const isStrange = check.calls.some(({ method }) => {
    const found = lookUpMethod(method);
    return isRefusal(found) ? !keepRefused : found.kind !== kind;
  });
  return isStrange ? composeRequest(FIRST_METHODS[kind], []) : text;
}
