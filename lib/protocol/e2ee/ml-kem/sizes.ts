/** Bytes of the parts of what is encrypted: of ML-KEM-768 by FIPS 203, table 3; of ChaCha20-Poly1305 by RFC 8439, 2.8. */
export const PUBLIC_KEY_BYTES = 1_184;
/** What the encapsulation of a secret has. */
export const CAPSULE_BYTES = 1_088;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** What a body, or an answer that is not streamed, has beside its ciphertext: `capsule ‖ nonce ‖ ciphertext ‖ tag`. */
export const ENVELOPE_BYTES = CAPSULE_BYTES + NONCE_BYTES + TAG_BYTES;

/** Of a request beside the chat itself: that envelope, and the key in base64 that its answer is encrypted to, with the name of its member. */
export const REQUEST_OVERHEAD_BYTES = ENVELOPE_BYTES + 1_580 + 24;
