import { CHAIN_IDENTITIES } from '@/lib/protocol/chain-identities';
import type { Network } from '@/lib/protocol/networks';

/** By what a chain is told from others, and how a node is asked for it. */
export interface ChainIdentity {
  request: { method: string; params: string };
  /** For people. */
  expected: string;
  matches(found: string | number): boolean;
}

const METHODS: Readonly<Record<Network['kind'], string>> = {
  evm: 'eth_chainId',
  solana: 'getGenesisHash',
  starknet: 'starknet_chainId',
};

/**
 * What the upstreams of a network must say of their chain: what the operator configured, else what is known of it.
 * @param configured `chainIdentity` of the configuration; false where upstreams are to be believed.
 * @returns null where nothing is known, or nothing is to be asked.
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

/** Nodes write hex with and without leading zeros. */
function numberOf(text: string | number): bigint | null {
  try {
    return BigInt(text);
  } catch {
    return null;
  }
}
