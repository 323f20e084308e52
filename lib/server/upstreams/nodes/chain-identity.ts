import { CHAIN_IDENTITIES } from '@/lib/protocol/chain-identities';
import type { Network } from '@/lib/protocol/networks';

/** Identity of a chain, and the request with which a node reports it. */
export interface ChainIdentity {
  request: { method: string; params: string };
  expected: string;
  matches(found: string | number): boolean;
}

const METHODS: Readonly<Record<Network['kind'], string>> = {
  evm: 'eth_chainId',
  solana: 'getGenesisHash',
  starknet: 'starknet_chainId',
};

/**
 * Returns the identity that a network's upstreams must confirm; null if none is known or the check is off.
 * @param configured `chainIdentity` of the configuration, which overrides the built-in identity; false to skip the
 * check
 */
export function chainIdentityOf(
  { slug, kind, chainId }: Network,
  configured: string | false | undefined,
): ChainIdentity | null {
  if (configured === false) return null;
  const identity = configured ?? CHAIN_IDENTITIES[slug] ?? (chainId === null ? null : String(chainId));
  if (identity === null) return null;
  const request = { method: METHODS[kind], params: '[]' };
  if (kind === 'solana') return { request, expected: identity, matches: (found) => found === identity };
  const number = numberOf(identity);
  return {
    request,
    expected: kind === 'evm' && number !== null ? `0x${number.toString(16)}` : identity,
    matches: (found) => number !== null && numberOf(found) === number,
  };
}

/** Nodes write hex with and without leading zeros, so ids are compared as numbers. */
function numberOf(text: string | number): bigint | null {
  try {
    return BigInt(text);
  } catch {
    return null;
  }
}
