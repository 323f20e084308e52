/** Sizes of ML-KEM-768 (FIPS 203, table 3) and ChaCha20-Poly1305 (RFC 8439, 2.8). */
export const PUBLIC_KEY_BYTES = 1_184;
/** Encapsulated secret. */
export const CAPSULE_BYTES = 1_088;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Overhead of an encrypted body or whole answer, which is `capsule ‖ nonce ‖ ciphertext ‖ tag`. */
export const ENVELOPE_BYTES = CAPSULE_BYTES + NONCE_BYTES + TAG_BYTES;

/** Overhead of an encrypted request: the envelope, and the member with the answer's base64 key. */
export const REQUEST_OVERHEAD_BYTES = ENVELOPE_BYTES + 1_580 + 24;
