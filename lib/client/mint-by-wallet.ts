import { isRecord } from '@/lib/protocol/json-record';
import {
  isMintToken,
  MINT_TOKEN_LENGTH_MAX,
  MINT_TOKEN_LIFETIME_S,
  TERMS_DIGEST_NAME,
} from '@/lib/protocol/api-keys/mint-token';
import { type MintWish, termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { type CallOptions, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { UnsignableTokenError } from './gateway-error';
import { type MintedKey, mintKey, requestMintToken } from './minting';

export interface MintingWallet {
  address(): Promise<string>;
  /** Signs exactly this text with personal_sign (EIP-191). */
  signText(text: string): Promise<string>;
}

interface AskedToken {
  origin: string;
  termsSha256: string;
}

/**
 * Mints an API key: requests a mint token bound to the terms in `wish`, has the wallet sign it, and sends token and
 * signature. Validates the token before signing, because a malicious gateway could return any text, or a token that
 * mints a key at another gateway.
 *
 * @throws {UnsignableTokenError} before signing; GatewayError, UnreachableError, and wallet errors
 */
export async function mintByWallet(
  options: TurnpikeClientOptions,
  wallet: MintingWallet,
  wish: MintWish,
  callOptions: CallOptions = {},
): Promise<MintedKey> {
  const asked = { origin: new URL(parseBaseUrl(options.baseUrl)).origin, termsSha256: termsDigest(wish) };
  const token = await requestMintToken(options, { ...callOptions, termsSha256: asked.termsSha256 });
  const fault = tokenFault(token, asked, Date.now());
  if (fault !== null) throw new UnsignableTokenError(`The gateway's token was not signed: ${fault}.`);
  const [address, signature] = [await wallet.address(), await wallet.signText(token)];
  return mintKey(options, { ...wish, address, signature, token }, callOptions);
}

/** Three Base64url parts (RFC 7519). No readable text or sign-in message has this form. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const CLOCK_SKEW_S = 300;
const SHOWN_LENGTH_MAX = 100;

/**
 * Returns why a wallet must not sign a token; null if the wallet may sign. Only the gateway can verify the token's
 * signature.
 */
function tokenFault(token: string, { origin, termsSha256 }: AskedToken, nowMs: number): string | null {
  if (token.length > MINT_TOKEN_LENGTH_MAX || !COMPACT_JWT.test(token)) return 'the token is not a JWT';
  const [header, claims] = token.split('.', 2).map(decodedPart);
  if (!header || !claims) return 'the token is not a JWT';
  if (header['typ'] !== 'JWT' || typeof header['alg'] !== 'string') return 'the token lacks the header of a signed JWT';
  const { exp } = claims;
  if (!isMintToken(claims)) return 'the token is not for minting a key';
  if (claims['origin'] !== origin)
    return `the token has the origin ${shown(claims['origin'])}, but was requested from ${origin}`;
  if (claims[TERMS_DIGEST_NAME] !== termsSha256) return 'the token is not bound to the requested terms';
  const leftSeconds = typeof exp === 'number' ? exp - nowMs / 1_000 : NaN;
  return leftSeconds > 0 && leftSeconds <= MINT_TOKEN_LIFETIME_S + CLOCK_SKEW_S
    ? null
    : 'the token has expired, or is valid for more than 15 minutes';
}

function decodedPart(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, SHOWN_LENGTH_MAX);
}
