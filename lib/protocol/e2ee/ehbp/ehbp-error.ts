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
