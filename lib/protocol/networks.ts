/** What a network's nodes speak. Methods of one kind sent to another are refused as cross-family calls. */
export const CHAIN_KINDS = ['evm', 'solana', 'starknet'] as const;

export type ChainKind = (typeof CHAIN_KINDS)[number];

/** A chain that the RPC proxy can forward to. */
export interface Network {
  /** The path parameter, as `ethereum-mainnet`. */
  slug: string;
  /** For people, as `Ethereum Mainnet`. */
  name: string;
  /** The slug's first part, shared by a family's mainnet and testnets, as `ethereum`. */
  family: string;
  kind: ChainKind;
  /** The EIP-155 chain id of an EVM network, null elsewhere and where a configured network states none. */
  chainId: number | null;
  testnet: boolean;
  /** Credits of one Standard call (spec, RPC proxy rule 4). */
  baseCredits: number;
  /** The token that pays fees. */
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
  /** Slug suffix, suffix for people, chain id. The mainnet is the one named Mainnet. */
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

/**
 * The networks of the specification (Network slugs), in its order, with the chain ids of
 * their own documentation. The objects are frozen and shared.
 */
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

/** The sandbox's own chain, where console wallets stake and pay. Not one of the specification's, and absent from a live deployment. */
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

/** The built-in network of a slug, exactly as written; undefined for anything else. Constant time. */
export function findNetwork(slug: string): Network | undefined {
  return NETWORKS_BY_SLUG.get(slug);
}

const MAX_SLUG_LENGTH = 64;

/**
 * What a further family's slug looks like: `<name>-mainnet` or `<name>-testnet` (spec, Network slugs),
 * at most 64 characters. The slugs of built-in networks may match it too: ask {@link findNetwork} first.
 */
export const FURTHER_NETWORK_SLUG = /^(?=.{9,64}$)(?<family>[a-z0-9]+(?:-[a-z0-9]+)*)-(?<net>mainnet|testnet)$/;

const DEFAULT_BASE_CREDITS = 20;

/** What the operator may state about a further network; the rest is the default. */
export interface FurtherNetworkOptions {
  name?: string | undefined;
  kind?: ChainKind | undefined;
  chainId?: number | undefined;
  /** Credits of one Standard call, 20 unless stated. */
  baseCredits?: number | undefined;
}

/**
 * A network of a family that the operator configured beside the built-in ones (spec, Network slugs; 20 base
 * credits unless stated).
 *
 * @throws {RangeError} naming the slug and what is wrong, where the slug does not follow the pattern
 *   or belongs to a network that exists already, or a number is not a positive safe integer.
 */
export function furtherNetwork(slug: string, options: FurtherNetworkOptions = {}): Network {
  const groups = FURTHER_NETWORK_SLUG.exec(slug)?.groups;
  const family = groups?.['family'];
  const net = groups?.['net'];
  if (family === undefined || net === undefined) {
    throw new RangeError(
      `The network ${JSON.stringify(slug.slice(0, MAX_SLUG_LENGTH))} must be named <name>-mainnet or <name>-testnet, ` +
        `in lower-case letters, digits and single hyphens, at most ${MAX_SLUG_LENGTH} characters.`,
    );
  }
  if (NETWORKS_BY_SLUG.has(slug) || slug === SANDBOX_TESTNET.slug) {
    throw new RangeError(`The network "${slug}" is built in and cannot be defined again.`);
  }
  const kind = options.kind ?? 'evm';
  requirePositiveInteger(slug, 'chainId', options.chainId);
  requirePositiveInteger(slug, 'baseCredits', options.baseCredits);
  return Object.freeze({
    slug,
    name: options.name ?? titleOf(slug),
    family,
    kind,
    chainId: kind === 'evm' ? (options.chainId ?? null) : null,
    testnet: net === 'testnet',
    baseCredits: options.baseCredits ?? DEFAULT_BASE_CREDITS,
    ...NATIVE_CURRENCY[kind],
  });
}

const NATIVE_CURRENCY: Readonly<Record<ChainKind, Pick<Network, 'nativeSymbol' | 'nativeDecimals'>>> = {
  evm: { nativeSymbol: 'ETH', nativeDecimals: 18 },
  solana: { nativeSymbol: 'SOL', nativeDecimals: 9 },
  starknet: { nativeSymbol: 'STRK', nativeDecimals: 18 },
};

function requirePositiveInteger(slug: string, field: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return;
  throw new RangeError(`The ${field} of the network "${slug}" must be a positive whole number, not ${value}.`);
}

function titleOf(slug: string): string {
  return slug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * The environment variable that lists a network's upstream URLs, as `RPC_ETHEREUM_MAINNET`.
 * Distinct for distinct slugs, which hold no underscore.
 */
export function upstreamVariable(slug: string): string {
  return `RPC_${slug.toUpperCase().replaceAll('-', '_')}`;
}
