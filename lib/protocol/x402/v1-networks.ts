import type { Caip2 } from './requirements';

/**
 * Chain names that x402 v1 clients know. v1 answers contain no other chains, because these clients refuse an answer
 * with an unknown name.
 */
const NAMES: Readonly<Record<Caip2, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana-devnet',
};

const NETWORKS: ReadonlyMap<string, Caip2> = new Map(
  Object.entries(NAMES).map(([network, name]) => [name, network as Caip2]),
);

export function networkOfV1Name(name: string): Caip2 | undefined {
  return NETWORKS.get(name);
}
