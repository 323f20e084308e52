/**
 * By what a built-in network that has no chain id of EIP-155 is told from others: of Solana the genesis hash of its cluster
 * (docs.solana.com, "Clusters"), of Starknet the chain id, a short text in hex (docs.starknet.io, "Transactions").
 */
export const CHAIN_IDENTITIES: Readonly<Record<string, string>> = {
  'solana-mainnet': '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  'solana-devnet': 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  'starknet-mainnet': '0x534e5f4d41494e',
  'starknet-sepolia': '0x534e5f5345504f4c4941',
};

/** Of the hash of a Solana cluster, as CAIP-2 has it ("solana" namespace). */
const SOLANA_REFERENCE_LENGTH = 32;

/** The name of a Solana cluster by CAIP-2; null for one whose genesis hash is not known. */
export function solanaClusterName(slug: string): string | null {
  const hash = CHAIN_IDENTITIES[slug];
  return hash === undefined ? null : `solana:${hash.slice(0, SOLANA_REFERENCE_LENGTH)}`;
}
