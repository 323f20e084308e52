const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/** The secret of an Authorization header (RFC 6750, section 2.1); undefined where it is malformed. */
export function bearerSecret(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}
