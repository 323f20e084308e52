import type { Caip2 } from './requirements';

/**
 * The chains that clients of x402 v1 know, each by the name that they know it by. Every other chain is named by CAIP-2
 * alone, and stands in no answer for v1: those clients refuse an answer that has a name of another.
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

/** The chain that a name of x402 v1 means; undefined for a name that clients of v1 do not know. */
export function networkOfV1Name(name: string): Caip2 | undefined {
  return NETWORKS.get(name);
}
