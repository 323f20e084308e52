import { BRAND_SLUG } from '../brand';

export const MINT_TOKEN_LIFETIME_S = 15 * 60;
/** Most tokens have about 300 characters. A long origin adds more. */
export const MINT_TOKEN_LENGTH_MAX = 2_048;

/**
 * Returns the audience claim, which only mint tokens have.
 * @param issuer slug of the gateway's brand
 */
export function mintTokenAudience(issuer: string): string {
  return `${issuer}:mint-api-key`;
}

/** Returns whether the claims are those of a mint token, of any brand. */
export function isMintToken({ iss, aud }: Readonly<Record<string, unknown>>): boolean {
  return typeof iss === 'string' && BRAND_SLUG.test(iss) && aud === mintTokenAudience(iss);
}

/** Name of the query parameter and of the token claim that contain the digest of the terms. */
export const TERMS_DIGEST_NAME = 'termsSha256';
export const TERMS_DIGEST_FORM = /^[0-9a-f]{64}$/;
