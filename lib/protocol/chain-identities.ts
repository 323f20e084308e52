/**
 * Identities of built-in networks without an EIP-155 chain id. Solana clusters have a genesis hash (docs.solana.com,
 * "Clusters"). Starknet's chain id is ASCII text in hex (docs.starknet.io, "Transactions").
 */
export const CHAIN_IDENTITIES: Readonly<Record<string, string>> = {
  'solana-mainnet': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  'solana-devnet': 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  'starknet-mainnet': '0x534e5f4d41494e',
  'starknet-sepolia': '0x534e5f5345504f4c4941',
};

/** Length to which CAIP-2 shortens a Solana genesis hash (namespace "solana"). */
const SOLANA_REFERENCE_LENGTH = 32;

/** Returns the CAIP-2 name of a Solana cluster, or null for an unknown slug. */
export function solanaClusterName(slug: string): string | null {
  const hash = slug.startsWith('solana-') ? CHAIN_IDENTITIES[slug] : undefined;
  return hash === undefined ? null : `solana:${hash.slice(0, SOLANA_REFERENCE_LENGTH)}`;
}
