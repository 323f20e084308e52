import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Secret } from '../../config/secret';

/** How long a validation token holds (spec, "Limits"). */
export const MINT_TOKEN_LIFETIME_S = 15 * 60;

const ALGORITHM = 'HS256';
const ISSUER = 'turnpike';
/** The token's one purpose: what else this gateway may sign one day has an audience of its own. */
const AUDIENCE = 'turnpike:mint-api-key';
const KEY_PURPOSE = 'turnpike mint token HS256';
const KEY_BYTES = 32;
/** Ours have about 300 characters. */
const TOKEN_LENGTH_MAX = 2_048;
/** Compact, without the padding and white space that a decoder of Base64url passes over: a token is sent unmodified. */
const TOKEN_FORM = /^[\w-]*\.[\w-]*\.[\w-]*$/;

/**
 * Issues and checks the validation tokens of key minting: JWTs (RFC 7519) that say nothing but that this service
 * issued them within 15 minutes. Their key is derived from the operator's secret (HKDF, RFC 5869), so that gateways
 * with one secret take each other's tokens. Nothing is kept about a token, and it may be used more than once.
 */
export class MintTokens {
  readonly #key: Uint8Array;
  /** The key of today, and that of the secret before it. */
  readonly #accepted: readonly Uint8Array[];

  /**
   * @param secret the operator's; where there is none, tokens hold in this process alone.
   * @param previous the one before it: its tokens are taken until they expire, and none is issued by it.
   */
  constructor(secret: Secret | null, previous: Secret | null = null) {
    this.#key = keyOf(secret?.reveal() ?? randomBytes(KEY_BYTES));
    this.#accepted = previous ? [this.#key, keyOf(previous.reveal())] : [this.#key];
  }

  issue(now: number): Promise<string> {
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + MINT_TOKEN_LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#key);
  }

  /**
   * Passes for a token of this service that has not expired.
   * @throws ApiError MINT_TOKEN_MALFORMED for what is no JWT; MINT_TOKEN_SIGNATURE_INVALID for a JWT that this
   *   service did not sign, whatever algorithm or extension it names; MINT_TOKEN_CLAIMS_INVALID for one that it
   *   signed for another purpose; MINT_TOKEN_EXPIRED after 15 minutes.
   */
  async check(token: string, now: number): Promise<void> {
    if (token.length > TOKEN_LENGTH_MAX || !TOKEN_FORM.test(token)) throw apiError('MINT_TOKEN_MALFORMED');
    let verdict: ErrorCode | null = null;
    for (const key of this.#accepted) {
      verdict = await verdictBy(key, token, now);
      if (verdict !== 'MINT_TOKEN_SIGNATURE_INVALID') break;
    }
    if (verdict) throw apiError(verdict);
  }
}

function keyOf(material: string | Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', material, '', KEY_PURPOSE, KEY_BYTES));
}

/** @returns null where the token holds. */
async function verdictBy(key: Uint8Array, token: string, now: number): Promise<ErrorCode | null> {
  try {
    await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: new Date(now),
    });
    return null;
  } catch (error) {
    return verdictOf(error);
  }
}

function verdictOf(error: unknown): ErrorCode {
  switch ((error as { code?: unknown }).code) {
    case 'ERR_JWT_EXPIRED':
      return 'MINT_TOKEN_EXPIRED';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return 'MINT_TOKEN_CLAIMS_INVALID';
    case 'ERR_JWS_INVALID':
    case 'ERR_JWT_INVALID':
      return 'MINT_TOKEN_MALFORMED';
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
      return 'MINT_TOKEN_SIGNATURE_INVALID';
    default:
      throw error;
  }
}
