/** Network slugs of the specification, by family in its order, with the base credits of rule 4. */
export const SPECIFIED_FAMILIES = [
  { family: 'Ethereum', baseCredits: 20, slugs: ['ethereum-mainnet', 'ethereum-sepolia', 'ethereum-holesky'] },
  { family: 'Polygon', baseCredits: 20, slugs: ['polygon-mainnet', 'polygon-amoy'] },
  { family: 'Arbitrum', baseCredits: 20, slugs: ['arbitrum-mainnet', 'arbitrum-sepolia'] },
  { family: 'Optimism', baseCredits: 20, slugs: ['optimism-mainnet', 'optimism-sepolia'] },
  { family: 'Base', baseCredits: 20, slugs: ['base-mainnet', 'base-sepolia'] },
  { family: 'Linea', baseCredits: 20, slugs: ['linea-mainnet', 'linea-sepolia'] },
  { family: 'Avalanche C-Chain', baseCredits: 20, slugs: ['avalanche-mainnet', 'avalanche-fuji'] },
  { family: 'BNB Smart Chain', baseCredits: 20, slugs: ['bsc-mainnet', 'bsc-testnet'] },
  { family: 'Blast', baseCredits: 20, slugs: ['blast-mainnet', 'blast-sepolia'] },
  { family: 'zkSync Era', baseCredits: 30, slugs: ['zksync-mainnet', 'zksync-sepolia'] },
  { family: 'Starknet', baseCredits: 20, slugs: ['starknet-mainnet', 'starknet-sepolia'] },
  { family: 'Solana', baseCredits: 30, slugs: ['solana-mainnet', 'solana-devnet'] },
] as const;

/** All of them. */
export const SPECIFIED_SLUGS: readonly string[] = SPECIFIED_FAMILIES.flatMap(({ slugs }) => slugs);
