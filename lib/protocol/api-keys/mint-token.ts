/** How long a token holds (spec, "Limits"). */
export const MINT_TOKEN_LIFETIME_S = 15 * 60;
/** A token has about 300 characters, and more with a long origin. */
export const MINT_TOKEN_LENGTH_MAX = 2_048;

export const MINT_TOKEN_ISSUER = 'turnpike';
/** The one purpose of the token. Anything else that a gateway signs has an audience of its own. */
export const MINT_TOKEN_AUDIENCE = 'turnpike:mint-api-key';

/** The query parameter of the GET, and the claim of the token, that hold the digest of the terms. */
export const TERMS_DIGEST_NAME = 'termsSha256';
export const TERMS_DIGEST_FORM = /^[0-9a-f]{64}$/;
