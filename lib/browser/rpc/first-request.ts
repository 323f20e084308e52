import { describeNetwork } from '@/lib/browser/reads/networks';
import type { ChainKind } from '@/lib/protocol/networks';

const FIRST_METHODS: Record<ChainKind, string> = {
  evm: 'eth_blockNumber',
  solana: 'getSlot',
  starknet: 'starknet_blockNumber',
};

/** Returns a method without parameters, for a first call to a network. */
export function firstMethodOf(slug: string): string {
  return FIRST_METHODS[describeNetwork(slug)?.kind ?? 'evm'];
}

/** Returns a first request to a network, formatted like `composeRequest` but without loading that module. */
export function firstRequestOf(slug: string): string {
  return FIRST_REQUEST.replace(FIRST_METHODS.evm, firstMethodOf(slug));
}

/** First request to an EVM network. */
export const FIRST_REQUEST = `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "eth_blockNumber",
  "params": []
}`;
