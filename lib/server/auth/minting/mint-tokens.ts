import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import {
  MINT_TOKEN_AUDIENCE,
  MINT_TOKEN_ISSUER,
  MINT_TOKEN_LENGTH_MAX,
  MINT_TOKEN_LIFETIME_S,
  TERMS_DIGEST_NAME,
} from '@/lib/protocol/api-keys/mint-token';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Secret } from '../../config/secret';

export { MINT_TOKEN_LIFETIME_S };

const ALGORITHM = 'HS256';
const KEY_PURPOSE = 'turnpike mint token HS256';
const KEY_BYTES = 32;
/** Compact, without the padding and white space that a decoder of Base64url passes over: a token is sent unmodified. */
const TOKEN_FORM = /^[\w-]*\.[\w-]*\.[\w-]*$/;

/** What a token is bound to: the origin that the client asked, and the terms that it named. */
export interface MintTokenBinding {
  /** Origin of the gateway that the client asked. A client signs no token for another one. */
  origin?: string;
  /** Digest of the only terms for which the token mints a key; any terms where it is absent. */
  termsSha256?: string;
}

/**
 * Issues and checks the validation tokens of key minting: JWTs (RFC 7519) that say that this service issued them
 * within 15 minutes, under which origin and for which terms. Their key is derived from the operator's secret (HKDF, RFC 5869), so that gateways
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

  issue(now: number, { origin, termsSha256 }: MintTokenBinding = {}): Promise<string> {
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT({
      ...(origin !== undefined && { origin }),
      ...(termsSha256 !== undefined && { [TERMS_DIGEST_NAME]: termsSha256 }),
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(MINT_TOKEN_ISSUER)
      .setAudience(MINT_TOKEN_AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + MINT_TOKEN_LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#key);
  }

  /**
   * Returns the digest of the terms that a token of this service is bound to, null for any terms.
   * @throws ApiError MINT_TOKEN_MALFORMED for what is no JWT; MINT_TOKEN_SIGNATURE_INVALID for a JWT that this
   *   service did not sign, whatever algorithm or extension it names; MINT_TOKEN_CLAIMS_INVALID for one that it
   *   signed for another purpose; MINT_TOKEN_EXPIRED after 15 minutes.
   */
  async check(token: string, now: number): Promise<{ termsSha256: string | null }> {
    if (token.length > MINT_TOKEN_LENGTH_MAX || !TOKEN_FORM.test(token)) throw apiError('MINT_TOKEN_MALFORMED');
    let verdict: JWTPayload | ErrorCode = 'MINT_TOKEN_SIGNATURE_INVALID';
    for (const key of this.#accepted) {
      verdict = await verdictBy(key, token, now);
      if (verdict !== 'MINT_TOKEN_SIGNATURE_INVALID') break;
    }
    if (typeof verdict === 'string') throw apiError(verdict);
    return { termsSha256: termsOf(verdict) };
  }
}

function keyOf(material: string | Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', material, '', KEY_PURPOSE, KEY_BYTES));
}

/** The digest of a token; one that is no text was never issued here, and fits no terms. */
function termsOf({ [TERMS_DIGEST_NAME]: digest }: JWTPayload): string | null {
  return digest === undefined ? null : String(digest);
}

/** @returns the claims where the token holds. */
async function verdictBy(key: Uint8Array, token: string, now: number): Promise<JWTPayload | ErrorCode> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: MINT_TOKEN_ISSUER,
      audience: MINT_TOKEN_AUDIENCE,
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: new Date(now),
    });
    return payload;
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
