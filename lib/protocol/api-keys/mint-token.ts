/** Lifetime of a token (spec, "Limits"). */
export const MINT_TOKEN_LIFETIME_S = 15 * 60;
/** Most tokens have about 300 characters. A long origin in the token adds to that. */
export const MINT_TOKEN_LENGTH_MAX = 2_048;

export const MINT_TOKEN_ISSUER = 'turnpike';
/** Audience claim that only mint tokens have. */
export const MINT_TOKEN_AUDIENCE = 'turnpike:mint-api-key';

/** Name of the query parameter and of the token's claim that hold the digest of the terms. */
export const TERMS_DIGEST_NAME = 'termsSha256';
export const TERMS_DIGEST_FORM = /^[0-9a-f]{64}$/;
