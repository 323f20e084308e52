import { familyOfChain, isSameAddress, walletKey } from '@/lib/protocol/wallet-address';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { TurnpikeError } from './turnpike-error';

export interface Token {
  network: string;
  asset: string;
}

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** USDC contracts as the issuer lists them. All have 6 decimals. */
const USDC: readonly Token[] = [
  { network: BASE, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { network: SOLANA, asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
];

/**
 * USDC of the sandbox. These tokens are worthless on real chains: only the sandbox's code can be deployed at this
 * CREATE2 address, and nobody has the private key of the Solana mint's address.
 */
const SANDBOX_USDC: readonly Token[] = [
  { network: BASE, asset: SANDBOX_CONTRACTS.usdc },
  { network: 'eip155:31337', asset: SANDBOX_CONTRACTS.usdc },
  { network: SOLANA, asset: SANDBOX_USDC_MINT },
];

const OWN_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Real network that the sandbox simulates for its Solana payments. */
const PAID_SOLANA = 'solana-mainnet';

/**
 * Returns whether a million base units of a token are worth a dollar. True only for USDC, allowed tokens, and the token
 * of a sandbox on this machine. Without this check, a gateway could demand the same number of units of a more valuable
 * token.
 */
export function isKnownDollar(
  token: Token,
  { allowed, baseUrl }: { allowed: readonly Token[]; baseUrl: string },
): boolean {
  return [...USDC, ...allowed].some((known) => isSameToken(known, token)) || isSandboxDollar(token, baseUrl);
}

/**
 * Returns the URL of the sandbox's Solana node if the token belongs to a sandbox on this machine. Returns null for any
 * other token, because the gateway could lie about a real chain.
 */
export function sandboxSolanaUrl(token: Token, baseUrl: string): string | null {
  return token.network === SOLANA && isSandboxDollar(token, baseUrl)
    ? `${baseUrl}/api/sandbox/rpc/${PAID_SOLANA}`
    : null;
}

const CAIP_19 = {
  evm: /^(eip155:[1-9]\d{0,14})(?:\/erc20)?:(0x[0-9a-fA-F]{40})$/,
  solana: /^(solana:[1-9A-HJ-NP-Za-km-z]{32})(?:\/token)?:([1-9A-HJ-NP-Za-km-z]{32,44})$/,
} as const;

/**
 * Parses a token in CAIP-19 format or as chain and address.
 *
 * @throws {TurnpikeError} OPTION_INVALID if the text is invalid or contains no chain. Without a chain, an address does
 * not identify a token.
 */
export function readToken(text: string): Token {
  const found = typeof text === 'string' ? (CAIP_19.evm.exec(text) ?? CAIP_19.solana.exec(text)) : null;
  const [, network = '', asset = ''] = found ?? [];
  if (walletKey(asset) === null) {
    throw new TurnpikeError('OPTION_INVALID', {
      message: `${JSON.stringify(text)} is not a token and its chain.`,
      remedy:
        'Pass chain and address in CAIP-19 form, such as "eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" or "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v".',
    });
  }
  return { network, asset };
}

/** Formats a token in CAIP-19 format. */
export function tokenName({ network, asset }: Token): string {
  return `${network}/${network.startsWith('eip155:') ? 'erc20' : 'token'}:${asset}`;
}

function isSandboxDollar(token: Token, baseUrl: string): boolean {
  return OWN_MACHINE.test(new URL(baseUrl).hostname) && SANDBOX_USDC.some((known) => isSameToken(known, token));
}

function isSameToken(one: Token, other: Token): boolean {
  return one.network === other.network && isSameAddress(familyOfChain(one.network), one.asset, other.asset);
}
