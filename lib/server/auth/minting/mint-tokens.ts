import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import {
  isMintToken,
  MINT_TOKEN_LENGTH_MAX,
  MINT_TOKEN_LIFETIME_S,
  mintTokenAudience,
  TERMS_DIGEST_NAME,
} from '@/lib/protocol/api-keys/mint-token';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { Secret } from '../../config/secret';

export { MINT_TOKEN_LIFETIME_S };

const ALGORITHM = 'HS256';
const KEY_PURPOSE = 'turnpike mint token HS256';
const KEY_BYTES = 32;
/** Form of a JWT. Refuses padding and white space, which Base64url decoders would ignore. */
const TOKEN_FORM = /^[\w-]*\.[\w-]*\.[\w-]*$/;

interface MintTokenBinding {
  /** Origin that the client called. Clients refuse a token of another origin. */
  origin?: string;
  /** Digest of the terms that the token may be used for. If absent, the token allows any terms. */
  termsSha256?: string;
}

/**
 * Issues and checks tokens for minting keys: JWTs (RFC 7519) with origin and terms, valid for 15 minutes. The signing
 * key derives from the operator's secret (HKDF, RFC 5869), so gateways with the same secret accept each other's tokens.
 * Stores nothing, so a token can be used more than once.
 */
export class MintTokens {
  readonly #key: Uint8Array;
  /** Current and previous signing key. */
  readonly #accepted: readonly Uint8Array[];

  /**
   * @param secret the operator's secret; null for a random secret
   * @param previous the previous secret, whose tokens are accepted until they expire
   * @param issuer slug of the gateway's brand
   */
  constructor(
    secret: Secret | null,
    previous: Secret | null = null,
    private readonly issuer = DEFAULT_BRAND.slug,
  ) {
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
      .setIssuer(this.issuer)
      .setAudience(mintTokenAudience(this.issuer))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + MINT_TOKEN_LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#key);
  }

  /**
   * Returns the digest of the terms to which a token is bound; null if the token allows any terms.
   * @throws ApiError MINT_TOKEN_MALFORMED if the token is not a JWT; MINT_TOKEN_SIGNATURE_INVALID if this service did
   * not sign it; MINT_TOKEN_CLAIMS_INVALID if it was signed for another purpose; MINT_TOKEN_EXPIRED after 15 minutes
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

/** Returns the digest of the terms in a token. A digest that is not a string becomes text, which matches no terms. */
function termsOf({ [TERMS_DIGEST_NAME]: digest }: JWTPayload): string | null {
  return digest === undefined ? null : String(digest);
}

async function verdictBy(key: Uint8Array, token: string, now: number): Promise<JWTPayload | ErrorCode> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: new Date(now),
    });
    // Accepts tokens of any brand, because the brand may have changed since the token was issued.
    return isMintToken(payload) ? payload : 'MINT_TOKEN_CLAIMS_INVALID';
  } catch (error) {
    return verdictOf(error);
  }
}

function verdictOf(error: unknown): ErrorCode {
  const { code, payload } = error as { code?: unknown; payload?: JWTPayload };
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return isMintToken(payload ?? {}) ? 'MINT_TOKEN_EXPIRED' : 'MINT_TOKEN_CLAIMS_INVALID';
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
