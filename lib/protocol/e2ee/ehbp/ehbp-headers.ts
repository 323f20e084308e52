/** Headers of an encrypted body (EHBP specification, 4.1 and 4.2), in lower case. */
export const EHBP_HEADERS = {
  /** Of the request: the key that HPKE encapsulated, 64 characters of hex. */
  encapsulatedKey: 'ehbp-encapsulated-key',
  /** Of the answer: 32 bytes in hex. Its absence says that the answer is in plain text. */
  responseNonce: 'ehbp-response-nonce',
} as const;

/** The same headers as people read them. */
export const EHBP_HEADER_NAMES = {
  encapsulatedKey: 'Ehbp-Encapsulated-Key',
  responseNonce: 'Ehbp-Response-Nonce',
} as const satisfies Record<keyof typeof EHBP_HEADERS, string>;

/** The type of the problem by which a server says that the body was encrypted to a key that it has no more (5.4.2): status 422, `application/problem+json`. */
export const EHBP_KEY_PROBLEM = 'urn:ietf:params:ehbp:error:key-config';

const KEY = /^[0-9a-f]{64}$/i;

/** Whether a value is 32 bytes in hex, as both headers are. */
export function isEhbpHeaderValue(text: string): boolean {
  return KEY.test(text);
}
