import { x25519 } from '@noble/curves/ed25519.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { EhbpError, isEhbpHeaderValue } from './format';
import { FrameReader } from './frames';
import { EHBP_SUITE, KEY_BYTES, REQUEST_INFO, RESPONSE_LABEL, type ResponseSecrets } from './suite';

/** X25519 keys, 32 bytes each. */
export interface HpkeKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateHpkeKeyPair(): HpkeKeyPair {
  return x25519.keygen();
}

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
  if (bytes.length < HEAD_BYTES + SUITE_BYTES)
    throw new EhbpError('INVALID_KEY_CONFIG', 'The key configuration is too short.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { KEM, KDF, AEAD } = EHBP_SUITE;
  if (view.getUint16(1) !== KEM.id) throw new EhbpError('UNSUPPORTED_SUITE', 'The key is not an X25519 key.');
  const suitesBytes = view.getUint16(HEAD_BYTES - 2);
  if (suitesBytes < SUITE_BYTES || suitesBytes % SUITE_BYTES !== 0 || HEAD_BYTES + suitesBytes > bytes.length)
    throw new EhbpError('INVALID_KEY_CONFIG', 'The list of cipher suites is truncated.');
  const offsets = Array.from({ length: suitesBytes / SUITE_BYTES }, (_, index) => HEAD_BYTES + index * SUITE_BYTES);
  if (!offsets.some((at) => view.getUint16(at) === KDF.id && view.getUint16(at + 2) === AEAD.id))
    throw new EhbpError(
      'UNSUPPORTED_SUITE',
      'The key configuration has no cipher suite of HKDF-SHA256 and AES-256-GCM.',
    );
  return bytes.slice(3, 3 + KEY_BYTES);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

/** Decrypted request body, and the secrets that encrypt its answer. */
interface OpenedBody {
  body: Uint8Array;
  secrets: ResponseSecrets;
}

/**
 * Decrypts a request body in the way that a server must (EHBP specification, 5.2). Only the simulator and tests use it.
 *
 * @param encapsulatedKey header's value as received
 * @param secretKey X25519, 32 bytes
 * @throws {EhbpError} INVALID_ENCAPSULATED_KEY, HPKE_SETUP_FAILED, FRAMING_TRUNCATED, CHUNK_TOO_LARGE,
 *   AEAD_DECRYPT_FAILED
 */
export async function openBody(body: Uint8Array, encapsulatedKey: string, secretKey: Uint8Array): Promise<OpenedBody> {
  if (!isEhbpHeaderValue(encapsulatedKey))
    throw new EhbpError('INVALID_ENCAPSULATED_KEY', `The encapsulated key is not ${KEY_BYTES} bytes of hex.`);
  const encapsulated = hexToBytes(encapsulatedKey.toLowerCase());
  const context = await contextOf(encapsulated, secretKey);
  const frames = new FrameReader();
  const ciphertexts = frames.push(body);
  frames.end();
  const plain: Uint8Array[] = [];
  for (const ciphertext of ciphertexts)
    plain.push(
      await context
        .Open(ciphertext)
        .catch((cause: unknown) => refuse('AEAD_DECRYPT_FAILED', 'The body does not decrypt.', cause)),
    );
  return {
    body: concatBytes(...plain),
    secrets: { exportedSecret: await context.Export(RESPONSE_LABEL, KEY_BYTES), encapsulatedKey: encapsulated },
  };
}

async function contextOf(encapsulated: Uint8Array, secretKey: Uint8Array) {
  try {
    const key = await EHBP_SUITE.DeserializePrivateKey(secretKey, true);
    return await EHBP_SUITE.SetupRecipient(key, encapsulated, { info: REQUEST_INFO });
  } catch (cause) {
    return refuse('HPKE_SETUP_FAILED', 'The encapsulated key is not a valid X25519 key.', cause);
  }
}

function refuse(fault: 'AEAD_DECRYPT_FAILED' | 'HPKE_SETUP_FAILED', detail: string, cause: unknown): never {
  throw new EhbpError(fault, detail, { cause });
}
