import { walletKey, type WalletFamily } from '../wallet-address';
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

/** What sign-ins of a family of wallets are made of. */
interface Kind {
  /** The chain unless given, CAIP-2. */
  chainId: string;
  /** Of the signature. */
  type: string;
  /** An address as it stands in the message. */
  written(address: string): string;
  /** How the payload with the message names the chain and the signature: the type stands only where it is not the one that is meant without. */
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
 * Makes a sign-in message for a wallet (EIP-4361; CAIP-122 for Solana), which holds for 10 minutes unless given.
 * @throws MalformedSignIn where a part of it cannot stand in such a message; RangeError for a chain that is none.
 */
export function buildSignIn({
  address,
  uri,
  chainId,
  statement = SIGN_IN_STATEMENT,
  nonce = randomNonce(),
  lifetimeMs = SIGN_IN_LIFETIME_MS,
  now = Date.now(),
}: SignInRequest): UnsignedSignIn {
  // What is no address is refused as the message is read; its beginning decides in which words.
  const family = walletKey(address)?.family ?? (/^0x/i.test(address) ? 'evm' : 'solana');
  const kind = KINDS[family];
  const caip2 = canonicalChainId(chainId ?? kind.chainId);
  if (caip2 === null) throw new RangeError(`${JSON.stringify(chainId)} names no chain.`);
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

/** 16 hex characters, from the platform's secure source. */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
