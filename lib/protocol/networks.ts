/** Node protocols. The gateway refuses one protocol's methods on another protocol's networks. */
export const CHAIN_KINDS = ['evm', 'solana', 'starknet'] as const;

export type ChainKind = (typeof CHAIN_KINDS)[number];

export interface Network {
  /** Network name in URLs, such as `ethereum-mainnet`. */
  slug: string;
  /** Display name, such as `Ethereum Mainnet`. */
  name: string;
  /** First part of the slug, shared by a mainnet and its testnets. */
  family: string;
  kind: ChainKind;
  /** EIP-155 chain id. Null for networks that are not EVM, and for networks without a configured id. */
  chainId: number | null;
  testnet: boolean;
  /** Number of credits that one Standard call costs (spec, RPC proxy rule 4). */
  baseCredits: number;
  nativeSymbol: string;
  nativeDecimals: number;
}

interface Family {
  slug: string;
  name: string;
  baseCredits: number;
  nativeSymbol: string;
  kind?: ChainKind;
  nativeDecimals?: number;
  /** Here, `slug` and `name` are suffixes of the network's slug and display name. */
  networks: readonly (readonly [slug: string, name: string, chainId: number | null])[];
}

const FAMILIES: readonly Family[] = [
  {
    slug: 'ethereum',
    name: 'Ethereum',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 1],
      ['sepolia', 'Sepolia', 11_155_111],
      ['holesky', 'Holesky', 17_000],
    ],
  },
  {
    slug: 'polygon',
    name: 'Polygon',
    baseCredits: 20,
    nativeSymbol: 'POL',
    networks: [
      ['mainnet', 'Mainnet', 137],
      ['amoy', 'Amoy', 80_002],
    ],
  },
  {
    slug: 'arbitrum',
    name: 'Arbitrum',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 42_161],
      ['sepolia', 'Sepolia', 421_614],
    ],
  },
  {
    slug: 'optimism',
    name: 'Optimism',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 10],
      ['sepolia', 'Sepolia', 11_155_420],
    ],
  },
  {
    slug: 'base',
    name: 'Base',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 8_453],
      ['sepolia', 'Sepolia', 84_532],
    ],
  },
  {
    slug: 'linea',
    name: 'Linea',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 59_144],
      ['sepolia', 'Sepolia', 59_141],
    ],
  },
  {
    slug: 'avalanche',
    name: 'Avalanche C-Chain',
    baseCredits: 20,
    nativeSymbol: 'AVAX',
    networks: [
      ['mainnet', 'Mainnet', 43_114],
      ['fuji', 'Fuji', 43_113],
    ],
  },
  {
    slug: 'bsc',
    name: 'BNB Smart Chain',
    baseCredits: 20,
    nativeSymbol: 'BNB',
    networks: [
      ['mainnet', 'Mainnet', 56],
      ['testnet', 'Testnet', 97],
    ],
  },
  {
    slug: 'blast',
    name: 'Blast',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 81_457],
      ['sepolia', 'Sepolia', 168_587_773],
    ],
  },
  {
    slug: 'zksync',
    name: 'zkSync Era',
    baseCredits: 30,
    nativeSymbol: 'ETH',
    networks: [
      ['mainnet', 'Mainnet', 324],
      ['sepolia', 'Sepolia', 300],
    ],
  },
  {
    slug: 'starknet',
    name: 'Starknet',
    baseCredits: 20,
    nativeSymbol: 'STRK',
    kind: 'starknet',
    networks: [
      ['mainnet', 'Mainnet', null],
      ['sepolia', 'Sepolia', null],
    ],
  },
  {
    slug: 'solana',
    name: 'Solana',
    baseCredits: 30,
    nativeSymbol: 'SOL',
    kind: 'solana',
    nativeDecimals: 9,
    networks: [
      ['mainnet', 'Mainnet', null],
      ['devnet', 'Devnet', null],
    ],
  },
];

/** Networks in the specification's order (Network slugs). Chain ids are from the networks' own documentation. */
export const NETWORKS: readonly Network[] = Object.freeze(
  FAMILIES.flatMap((family) =>
    family.networks.map(([suffix, name, chainId]): Network =>
      Object.freeze({
        slug: `${family.slug}-${suffix}`,
        name: `${family.name} ${name}`,
        family: family.slug,
        kind: family.kind ?? 'evm',
        chainId,
        testnet: suffix !== 'mainnet',
        baseCredits: family.baseCredits,
        nativeSymbol: family.nativeSymbol,
        nativeDecimals: family.nativeDecimals ?? 18,
      }),
    ),
  ),
);

/** The sandbox's own chain, where console wallets stake and pay. Not in the specification. */
export const SANDBOX_TESTNET: Network = Object.freeze({
  slug: 'sandbox-testnet',
  name: 'Sandbox Testnet',
  family: 'sandbox',
  kind: 'evm',
  chainId: 31_337,
  testnet: true,
  baseCredits: 20,
  nativeSymbol: 'ETH',
  nativeDecimals: 18,
});

const NETWORKS_BY_SLUG: ReadonlyMap<string, Network> = new Map(NETWORKS.map((network) => [network.slug, network]));

export function findNetwork(slug: string): Network | undefined {
  return NETWORKS_BY_SLUG.get(slug);
}

/**
 * Form of a slug that the operator may add: `<name>-mainnet` or `<name>-testnet` (spec, Network slugs), at most 64
 * characters. Built-in slugs may match too: use {@link findNetwork} first.
 */
export const FURTHER_NETWORK_SLUG = /^(?=.{9,64}$)(?<family>[a-z0-9]+(?:-[a-z0-9]+)*)-(?<net>mainnet|testnet)$/;

/** Describes an EVM network that the operator adds. Null if the slug does not match {@link FURTHER_NETWORK_SLUG}. */
export function describeFurtherNetwork(slug: string): Network | null {
  const { family, net } = FURTHER_NETWORK_SLUG.exec(slug)?.groups ?? {};
  if (family === undefined) return null;
  return {
    slug,
    name: titleOf(slug),
    family,
    kind: 'evm',
    chainId: null,
    testnet: net === 'testnet',
    baseCredits: 20,
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
  };
}

function titleOf(slug: string): string {
  return slug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * Environment variable with a network's upstream URLs, such as `RPC_ETHEREUM_MAINNET`. Slugs have no underscore, so two
 * slugs never share a variable.
 */
export function upstreamVariable(slug: string): string {
  return `RPC_${slug.toUpperCase().replaceAll('-', '_')}`;
}
