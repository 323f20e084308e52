import { BASE_MAINNET, canonicalChainId, chainReference, SOLANA_MAINNET } from './chain-id';
import { toChecksumAddress } from './eip55';
import { encodeSignInPayload } from './encode-payload';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './message';
import { SIGN_IN_LIFETIME_MS } from './sign-in-lifetime';

/** The statement that people read in their wallet. */
export const SIGN_IN_STATEMENT = 'Sign in to Turnpike';

/** What a sign-in is made of. */
export interface SignInRequest {
  /** EVM in any case, or Solana. */
  address: string;
  /** Where the gateway is reached, such as `https://gate.example` or a URL below it. */
  uri: string;
  /** CAIP-2, or an EVM chain's number; Base for EVM wallets and mainnet for Solana's, unless given. */
  chainId?: string | number;
  statement?: string;
  /** Random and at least 8 letters and digits; made here unless given, as by a challenge. */
  nonce?: string;
  lifetimeMs?: number;
  /** Unix milliseconds. */
  now?: number;
}

/** A message to sign, and what to send once it is signed. */
export interface UnsignedSignIn {
  /** For `personal_sign` (EIP-191) of an EVM wallet, or as UTF-8 bytes for `signMessage` of a Solana wallet. */
  text: string;
  message: SignInMessage;
  /** Unix milliseconds; a header may be sent again until then. */
  expiresAt: number;
  /** The header's value. @param signature hex for EVM, base58 or Base64 for Solana. */
  header(signature: string): string;
  /** The same in the form of the x402 extension, whose reader makes the text of the fields. */
  fieldHeader(signature: string): string;
}

/**
 * Makes a sign-in message for a wallet (EIP-4361; CAIP-122 for Solana), which holds for 10 minutes unless given.
 * @throws MalformedSignIn where a part of it cannot stand in such a message; RangeError for a chain that is none.
 */
export function buildSignIn({ address, uri, chainId, statement = SIGN_IN_STATEMENT, nonce = randomNonce(), lifetimeMs = SIGN_IN_LIFETIME_MS, now = Date.now() }: SignInRequest): UnsignedSignIn {
  const isEvm = /^0x/i.test(address);
  const caip2 = canonicalChainId(chainId ?? (isEvm ? BASE_MAINNET : SOLANA_MAINNET));
  if (caip2 === null) throw new RangeError(`${JSON.stringify(chainId)} names no chain.`);
  const text = formatSignInMessage({
    family: isEvm ? 'evm' : 'solana',
    domain: new URL(uri).host,
    address: isEvm ? toChecksumAddress(address) : address,
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
  const type = isEvm ? 'eip191' : 'ed25519';
  return {
    text,
    message,
    expiresAt: now + lifetimeMs,
    header: (signature) => encodeSignInPayload({ address: message.address, message: text, signature, timestamp: now, chainId: isEvm ? Number(message.chainId) : caip2, ...(isEvm ? {} : { type }) }),
    fieldHeader: (signature) => encodeSignInPayload({ ...fields, chainId: caip2, type, signature }),
  };
}

/** 16 hex characters, from the platform's secure source. */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
