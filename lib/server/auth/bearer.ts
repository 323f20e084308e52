const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/** Returns the secret of an Authorization header (RFC 6750, section 2.1); undefined if malformed. */
export function bearerSecret(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
