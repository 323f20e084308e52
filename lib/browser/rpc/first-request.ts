/**
 * Methods for a first call to non-EVM chains, by the first part of the slug. Listed here, so that the page need not
 * load the large network table.
 */
const FIRST_METHODS: Readonly<Record<string, string>> = { solana: 'getSlot', starknet: 'starknet_blockNumber' };
const FIRST_EVM_METHOD = 'eth_blockNumber';

/** Returns a method without required parameters, for a first call to a network. */
export function firstMethodOf(slug: string): string {
  return FIRST_METHODS[slug.split('-')[0] ?? ''] ?? FIRST_EVM_METHOD;
}

/** Returns a first request to a network, formatted like `composeRequest` but without loading that module. */
export function firstRequestOf(slug: string): string {
  return FIRST_REQUEST.replace(FIRST_EVM_METHOD, firstMethodOf(slug));
}

/** First request to an EVM network. */
export const FIRST_REQUEST = `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "eth_blockNumber",
  "params": []
}`;
