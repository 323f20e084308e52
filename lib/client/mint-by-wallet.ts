import {
  MINT_TOKEN_AUDIENCE,
  MINT_TOKEN_ISSUER,
  MINT_TOKEN_LENGTH_MAX,
  MINT_TOKEN_LIFETIME_S,
  TERMS_DIGEST_NAME,
} from '@/lib/protocol/api-keys/mint-token';
import { type MintWish, termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { isRecord } from './answer-schema';
import { type CallOptions, parseBaseUrl, type TurnpikeClientOptions } from './exchange';
import { UnsignableTokenError } from './gateway-error';
import { type MintedKey, mintKey, requestMintToken } from './minting';

/** What minting asks of a wallet. */
export interface MintingWallet {
  address(): Promise<string>;
  /** Signs exactly this text with personal_sign (EIP-191). */
  signText(text: string): Promise<string>;
}

/** What a token has to be bound to. */
interface AskedToken {
  /** Of the gateway that was asked. */
  origin: string;
  termsSha256: string;
}

/**
 * Mints a key on these terms: asks for a token that is bound to them, has the wallet sign it, and sends both. A gateway
 * could hand over any text to sign, or a token of another gateway, which would then mint another key there.
 * @throws {UnsignableTokenError} before anything is signed; GatewayError, UnreachableError, and what the wallet rejects with
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

/** Three parts of Base64url (RFC 7519): no text for people, and no sign-in message, is of this form. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const CLOCK_SKEW_S = 300;
const SHOWN_LENGTH_MAX = 100;

/** Why a wallet may not sign a token; null where it may. Whether the gateway signed it is for the gateway to check. */
function tokenFault(token: string, { origin, termsSha256 }: AskedToken, nowMs: number): string | null {
  if (token.length > MINT_TOKEN_LENGTH_MAX || !COMPACT_JWT.test(token)) return 'it is no JWT';
  const [header, claims] = token.split('.', 2).map(decodedPart);
  if (!header || !claims) return 'it is no JWT';
  if (header['typ'] !== 'JWT' || typeof header['alg'] !== 'string') return 'its header is not that of a signed JWT';
  const { iss, aud, exp } = claims;
  if (iss !== MINT_TOKEN_ISSUER || aud !== MINT_TOKEN_AUDIENCE) return 'it is for something else than minting a key';
  if (claims['origin'] !== origin) return `its origin is ${shown(claims['origin'])}, and ${origin} was asked`;
  if (claims[TERMS_DIGEST_NAME] !== termsSha256) return 'it is not bound to the terms that were asked for';
  const leftSeconds = typeof exp === 'number' ? exp - nowMs / 1_000 : NaN;
  return leftSeconds > 0 && leftSeconds <= MINT_TOKEN_LIFETIME_S + CLOCK_SKEW_S
    ? null
    : 'it does not expire within the next 15 minutes';
}

/** An object of JSON in Base64url; null for what is none. */
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
