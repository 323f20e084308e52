import { type ChainKind, describeFurtherNetwork, findNetwork, type Network, SANDBOX_TESTNET } from './networks';

const MAX_SLUG_LENGTH = 64;

interface FurtherNetworkOptions {
  name?: string | undefined;
  kind?: ChainKind | undefined;
  chainId?: number | undefined;
  /** Number of credits that one Standard call costs. Default: 20. */
  baseCredits?: number | undefined;
}

const NATIVE_CURRENCY: Readonly<Record<ChainKind, Pick<Network, 'nativeSymbol' | 'nativeDecimals'>>> = {
  evm: { nativeSymbol: 'ETH', nativeDecimals: 18 },
  solana: { nativeSymbol: 'SOL', nativeDecimals: 9 },
  starknet: { nativeSymbol: 'STRK', nativeDecimals: 18 },
};

/**
 * Describes a network that the operator adds to the built-in networks (spec, Network slugs).
 *
 * @throws {RangeError} for a malformed or built-in slug, or a number that is not a positive safe integer
 */
export function furtherNetwork(slug: string, options: FurtherNetworkOptions = {}): Network {
  const network = describeFurtherNetwork(slug);
  if (network === null) {
    throw new RangeError(
      `The network ${JSON.stringify(slug.slice(0, MAX_SLUG_LENGTH))} must be named <name>-mainnet or <name>-testnet, ` +
        `in lower-case letters, digits and single hyphens, at most ${MAX_SLUG_LENGTH} characters.`,
    );
  }
  if (findNetwork(slug) || slug === SANDBOX_TESTNET.slug) {
    throw new RangeError(`The network "${slug}" is built in and cannot be defined again.`);
  }
  requirePositiveInteger(slug, 'chainId', options.chainId);
  requirePositiveInteger(slug, 'baseCredits', options.baseCredits);
  const kind = options.kind ?? network.kind;
  return Object.freeze({
    ...network,
    ...NATIVE_CURRENCY[kind],
    kind,
    name: options.name ?? network.name,
    chainId: kind === 'evm' ? (options.chainId ?? null) : null,
    baseCredits: options.baseCredits ?? network.baseCredits,
  });
}

function requirePositiveInteger(slug: string, field: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return;
  throw new RangeError(`The ${field} of the network "${slug}" must be a positive whole number, not ${value}.`);
}
