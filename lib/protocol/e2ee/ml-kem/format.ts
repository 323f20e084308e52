/** Sizes of ML-KEM-768 (FIPS 203, table 3) and ChaCha20-Poly1305 (RFC 8439, 2.8). */
export const PUBLIC_KEY_BYTES = 1_184;
/** Encapsulated secret. */
export const CAPSULE_BYTES = 1_088;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Bytes that encryption adds to a body or whole answer (`capsule ‖ nonce ‖ ciphertext ‖ tag`). */
export const ENVELOPE_BYTES = CAPSULE_BYTES + NONCE_BYTES + TAG_BYTES;

/** Overhead of an encrypted request: the envelope, and the member with the base64 key for the answer. */
export const REQUEST_OVERHEAD_BYTES = ENVELOPE_BYTES + 1_580 + 24;

/**
 * Headers with which Chutes' API relays an encrypted request to an instance (docs.chutes.ai, "E2E Invoke"), lower case.
 */
export const INVOKE_HEADERS = {
  /** Chutes' id of the model, a UUID. */
  chute: 'x-chute-id',
  instance: 'x-instance-id',
  /** Single-use nonce that Chutes issued for the instance. */
  nonce: 'x-e2e-nonce',
  /** `true` if the answer is streamed. */
  stream: 'x-e2e-stream',
  /** Path in the instance's own API. */
  path: 'x-e2e-path',
} as const;

/** Gateway's own header with the id of the instance that can decrypt the body, lower case. */
export const INSTANCE_HEADER = 'x-service-tee-instance';

/** `true` for a streamed answer. The gateway cannot read this from the encrypted body. */
export const STREAM_HEADER = INVOKE_HEADERS.stream;

/** Error code of an ML-KEM body. Codes are never sent over the wire. */
export type MlKemFault =
  /** Key that ML-KEM-768 refuses. */
  | 'INVALID_KEY'
  /** Bytes that do not decrypt, or decrypt to a wrong format. The message omits the reason. */
  | 'NOT_DECRYPTABLE'
  /** Plaintext instead of ciphertext. */
  | 'NOT_ENCRYPTED'
  | 'TRUNCATED'
  | 'TOO_LONG';

export class MlKemError extends Error {
  override readonly name = 'MlKemError';

  constructor(
    readonly fault: MlKemFault,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
