/** Error codes of the EHBP specification, 5.5. They are never sent over the wire. */
export type EhbpFault =
  | 'INVALID_KEY_CONFIG'
  | 'UNSUPPORTED_SUITE'
  | 'INVALID_ENCAPSULATED_KEY'
  | 'HPKE_SETUP_FAILED'
  | 'MISSING_RESPONSE_NONCE'
  | 'INVALID_RESPONSE_NONCE'
  | 'FRAMING_TRUNCATED'
  | 'CHUNK_TOO_LARGE'
  | 'AEAD_DECRYPT_FAILED'
  | 'SEQUENCE_OVERFLOW'
  | 'INVALID_INPUT';

/** Error of an encrypted body. The message is `CODE: sentence`, as specified. */
export class EhbpError extends Error {
  override readonly name = 'EhbpError';

  constructor(
    readonly fault: EhbpFault,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${fault}: ${detail}`, options);
  }
}

/** Headers of an encrypted body (EHBP specification, 4.1 and 4.2), lower case. */
export const EHBP_HEADERS = {
  /** Request header: encapsulated HPKE key, 64 hex characters. */
  encapsulatedKey: 'ehbp-encapsulated-key',
  /** Response header: nonce of 32 bytes in hex. A response without this header is plaintext. */
  responseNonce: 'ehbp-response-nonce',
} as const;

export const EHBP_HEADER_NAMES = {
  encapsulatedKey: 'Ehbp-Encapsulated-Key',
  responseNonce: 'Ehbp-Response-Nonce',
} as const satisfies Record<keyof typeof EHBP_HEADERS, string>;

/**
 * Problem type for a body encrypted to a key that the server no longer has (5.4.2). The status is 422, and the media
 * type is `application/problem+json`.
 */
export const EHBP_KEY_PROBLEM = 'urn:ietf:params:ehbp:error:key-config';

const KEY = /^[0-9a-f]{64}$/i;

/** Returns whether a value is 32 bytes in hex, the format of both headers. */
export function isEhbpHeaderValue(text: string): boolean {
  return KEY.test(text);
}
