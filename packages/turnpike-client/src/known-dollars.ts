import { familyOfChain } from '@/lib/protocol/chain-family';
import { isSameAddress } from '@/lib/protocol/same-address';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { walletKey } from '@/lib/protocol/wallet-address';
import { TurnpikeError } from './turnpike-error';

/** A token on one chain. */
export interface Token {
  /** CAIP-2. */
  network: string;
  /** Address or mint. */
  asset: string;
}

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** USDC as its issuer lists it; each has 6 decimals. */
const USDC: readonly Token[] = [
  { network: BASE, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { network: SOLANA, asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
];

/**
 * The sandbox's own USDC. Its stand-ins have the names of real chains, so a payment in these tokens is valid on the real
 * chain too. It is worthless there: an EIP-712 signature holds for one contract alone, and only a copy of the sandbox's
 * token can ever be at that address; no key belongs to the address of the mint.
 */
const SANDBOX_USDC: readonly Token[] = [
  { network: BASE, asset: SANDBOX_CONTRACTS.usdc },
  { network: 'eip155:31337', asset: SANDBOX_CONTRACTS.usdc },
  { network: SOLANA, asset: SANDBOX_USDC_MINT },
];

const OWN_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** The stand-in that takes the sandbox's payments. */
const PAID_SOLANA = 'solana-mainnet';

/**
 * Whether a token is known to be worth a dollar a million of its base units: USDC, what the caller names, or the
 * sandbox's on this very machine. A gateway could otherwise have another token of the wallet's signed away by its number
 * of units.
 */
export function isKnownDollar(
  token: Token,
  { allowed, baseUrl }: { allowed: readonly Token[]; baseUrl: string },
): boolean {
  return [...USDC, ...allowed].some((known) => isSameToken(known, token)) || isSandboxDollar(token, baseUrl);
}

/** Where a payment in this token reads Solana, if it is the one of a sandbox on this very machine; else null, since a gateway is not believed about a real chain. */
export function sandboxSolanaUrl(token: Token, baseUrl: string): string | null {
  return token.network === SOLANA && isSandboxDollar(token, baseUrl)
    ? `${baseUrl}/api/sandbox/rpc/${PAID_SOLANA}`
    : null;
}

const CAIP_19 = {
  evm: /^(eip155:[1-9]\d{0,14})(?:\/erc20)?:(0x[0-9a-fA-F]{40})$/,
  solana: /^(solana:[1-9A-HJ-NP-Za-km-z]{32})(?:\/token)?:([1-9A-HJ-NP-Za-km-z]{32,44})$/,
} as const;

/** Reads the name of a token on its chain, by CAIP-19 or as chain and address. @throws {TurnpikeError} OPTION_INVALID, for an address alone too: the same address is another token on another chain */
export function readToken(text: string): Token {
  const found = typeof text === 'string' ? (CAIP_19.evm.exec(text) ?? CAIP_19.solana.exec(text)) : null;
  const [, network = '', asset = ''] = found ?? [];
  if (walletKey(asset) === null) {
    throw new TurnpikeError('OPTION_INVALID', {
      message: `${JSON.stringify(text)} does not name a token on its chain.`,
      remedy:
        'Name chain and address by CAIP-19, such as "eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" or "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v".',
    });
  }
  return { network, asset };
}

/** The name of a token by CAIP-19. */
export function tokenName({ network, asset }: Token): string {
  return `${network}/${network.startsWith('eip155:') ? 'erc20' : 'token'}:${asset}`;
}

function isSandboxDollar(token: Token, baseUrl: string): boolean {
  return OWN_MACHINE.test(new URL(baseUrl).hostname) && SANDBOX_USDC.some((known) => isSameToken(known, token));
}

function isSameToken(one: Token, other: Token): boolean {
  return one.network === other.network && isSameAddress(familyOfChain(one.network), one.asset, other.asset);
}
