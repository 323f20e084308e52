import { DEFAULT_BRAND } from '../brand';
import { type WalletFamily, walletKey } from '../wallet-address';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './message';
import {
  BASE_MAINNET,
  canonicalChainId,
  chainReference,
  SIGN_IN_LIFETIME_MS,
  SOLANA_MAINNET,
  toChecksumAddress,
} from './message-fields';

export interface SignInRequest {
  /** EVM address in any letter case, or Solana address. */
  address: string;
  /** URL of the gateway, or of a page on it. */
  uri: string;
  /** CAIP-2 chain id, or an EVM chain id as a number. Default: Base, or mainnet for Solana wallets. */
  chainId?: string | number;
  /** Default: the statement of a gateway without a brand. */
  statement?: string;
  /** At least 8 random letters and digits, such as a challenge's nonce. Default: a new nonce. */
  nonce?: string;
  lifetimeMs?: number;
  now?: number;
}

interface UnsignedSignIn {
  /** Text that an EVM wallet signs with `personal_sign` (EIP-191), and a Solana wallet with `signMessage` as UTF-8. */
  text: string;
  message: SignInMessage;
  /** Unix milliseconds until which the header may be reused. */
  expiresAt: number;
  /** @param signature wallet's signature: hex for EVM, base58 or Base64 for Solana */
  header(signature: string): string;
  /** Returns the header's value in the format of x402's sign-in extension. */
  fieldHeader(signature: string): string;
}

interface Kind {
  /** Default chain, CAIP-2. */
  chainId: string;
  type: string;
  /** Formats an address for the message. */
  written(address: string): string;
  /** Returns the payload's chain id. Adds the signature type if it is not the default. */
  named(caip2: string): { chainId: string | number; type?: string };
}

const KINDS: Readonly<Record<WalletFamily, Kind>> = {
  evm: {
    chainId: BASE_MAINNET,
    type: 'eip191',
    written: toChecksumAddress,
    named: (caip2) => ({ chainId: Number(chainReference(caip2)) }),
  },
  solana: {
    chainId: SOLANA_MAINNET,
    type: 'ed25519',
    written: (address) => address,
    named: (chainId) => ({ chainId, type: 'ed25519' }),
  },
};

/**
 * Builds a sign-in message (EIP-4361; CAIP-122 for Solana). Default lifetime: 10 minutes.
 *
 * @throws {MalformedSignIn} if a part is not allowed in the message; {RangeError} for an invalid chain
 */
export function buildSignIn({
  address,
  uri,
  chainId,
  statement = DEFAULT_BRAND.signInStatement,
  nonce = randomNonce(),
  lifetimeMs = SIGN_IN_LIFETIME_MS,
  now = Date.now(),
}: SignInRequest): UnsignedSignIn {
  // For an invalid address, the prefix decides the family. The parser of the message then refuses the address.
  const family = walletKey(address)?.family ?? (/^0x/i.test(address) ? 'evm' : 'solana');
  const kind = KINDS[family];
  const caip2 = canonicalChainId(chainId ?? kind.chainId);
  if (caip2 === null) throw new RangeError(`${JSON.stringify(chainId)} is not a valid chain.`);
  const text = formatSignInMessage({
    family,
    domain: new URL(uri).host,
    address: kind.written(address),
    statement,
    uri,
    version: '1',
    chainId: chainReference(caip2),
    nonce,
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + lifetimeMs).toISOString(),
  });
  const message = parseSignInMessage(text);
  const { family: _family, ...fields } = message;
  return {
    text,
    message,
    expiresAt: now + lifetimeMs,
    header: (signature) =>
      encodeSignInPayload({ address: message.address, message: text, signature, timestamp: now, ...kind.named(caip2) }),
    fieldHeader: (signature) => encodeSignInPayload({ ...fields, chainId: caip2, type: kind.type, signature }),
  };
}

/** Returns 16 random hex characters from the platform's secure source. */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes a sign-in payload as the header's value. */
export function encodeSignInPayload(payload: Readonly<Record<string, unknown>>): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payload))));
}
