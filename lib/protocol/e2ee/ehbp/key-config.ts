import { concatBytes } from '@noble/hashes/utils.js';
import { EhbpError } from './ehbp-error';
import { EHBP_SUITE, KEY_BYTES } from './suite';

/** Media type of the key at `/.well-known/hpke-keys` (EHBP specification, 3.1). */
export const EHBP_KEYS_MEDIA_TYPE = 'application/ohttp-keys';

const SUITE_BYTES = 4;
const HEAD_BYTES = 1 + 2 + KEY_BYTES + 2;

/** Encodes a server's key configuration (RFC 9458, section 3) with key id 0 and one suite. */
export function keyConfigOf(publicKey: Uint8Array): Uint8Array {
  const { KEM, KDF, AEAD } = EHBP_SUITE;
  return concatBytes(Uint8Array.of(0), uint16(KEM.id), publicKey, uint16(SUITE_BYTES), uint16(KDF.id), uint16(AEAD.id));
}

/**
 * Parses the first key of a configuration. The key is unauthenticated, so clients must encrypt to the attested key.
 *
 * @returns 32 bytes
 * @throws {EhbpError} INVALID_KEY_CONFIG, UNSUPPORTED_SUITE
 */
export function readKeyConfig(bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEAD_BYTES + SUITE_BYTES) throw new EhbpError('INVALID_KEY_CONFIG', 'It is too short.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { KEM, KDF, AEAD } = EHBP_SUITE;
  if (view.getUint16(1) !== KEM.id) throw new EhbpError('UNSUPPORTED_SUITE', 'The key is not an X25519 key.');
  const suitesBytes = view.getUint16(HEAD_BYTES - 2);
  if (suitesBytes < SUITE_BYTES || suitesBytes % SUITE_BYTES !== 0 || HEAD_BYTES + suitesBytes > bytes.length)
    throw new EhbpError('INVALID_KEY_CONFIG', 'Its list of cipher suites is truncated.');
  const offsets = Array.from({ length: suitesBytes / SUITE_BYTES }, (_, index) => HEAD_BYTES + index * SUITE_BYTES);
  if (!offsets.some((at) => view.getUint16(at) === KDF.id && view.getUint16(at + 2) === AEAD.id))
    throw new EhbpError('UNSUPPORTED_SUITE', 'It has no suite of HKDF-SHA256 and AES-256-GCM.');
  return bytes.slice(3, 3 + KEY_BYTES);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}
