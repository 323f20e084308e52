import { gcm } from '@noble/ciphers/aes.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';
import { assertPublicKey, PUBLIC_KEY_BYTES } from './public-key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Number of hex characters of an encrypted empty text (key, nonce and tag): 186 (specification, "Limits"). */
export const ENCRYPTED_CONTENT_HEX_MIN = 2 * (PUBLIC_KEY_BYTES + NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Returns whether content has the encrypted format: an even number of hex characters, at least 186. */
export function isEncryptedContent(content: string): boolean {
  return content.length >= ENCRYPTED_CONTENT_HEX_MIN && HEX.test(content);
}

/**
 * Codec of encrypted content (specification, "E2EE calls", rules 3 and 4). ECDH on secp256k1 with a fresh key;
 * HKDF-SHA256 over the 32-byte x coordinate; AES-256-GCM without associated data. The format is lower-case hex of
 * `ephemeral public key (65) ‖ nonce (12) ‖ ciphertext ‖ tag (16)`.
 */

const HKDF_INFO = utf8ToBytes('ecdsa_encryption');
const AES_KEY_BYTES = 32;
const NO_SALT = undefined;

/** secp256k1 keys: secret 32 bytes, public 65 bytes. */
interface E2eeKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

/** Fixed values instead of random values. Only tests with test vectors set them. */
interface ContentRandomness {
  ephemeralSecretKey: Uint8Array;
  nonce: Uint8Array;
}

export function generateE2eeKeyPair(): E2eeKeyPair {
  const secretKey = secp256k1.utils.randomSecretKey();
  return { secretKey, publicKey: secp256k1.getPublicKey(secretKey, false) };
}

/**
 * Encrypts text to a 65-byte public key. Each call draws a new ephemeral key, so each AES key encrypts a single text.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY if the key is not on the curve
 */
export function encryptContent(
  text: string,
  publicKey: Uint8Array,
  randomness: ContentRandomness = drawRandomness(),
): string {
  const { ephemeralSecretKey, nonce } = randomness;
  const key = contentKey(ephemeralSecretKey, assertPublicKey(publicKey));
  const ephemeralPublicKey = secp256k1.getPublicKey(ephemeralSecretKey, false);
  const sealed = gcm(key, nonce).encrypt(utf8ToBytes(text));
  key.fill(0);
  return bytesToHex(concatBytes(ephemeralPublicKey, nonce, sealed));
}

/**
 * Decrypts content.
 *
 * @throws {E2eeError} ENCRYPTED_FIELD_NOT_HEX for a wrong format. DECRYPTION_FAILED for an invalid key, tag or UTF-8
 *   plaintext; the message never reveals which
 */
export function decryptContent(content: string, secretKey: Uint8Array): string {
  if (!isEncryptedContent(content)) throw new E2eeError('ENCRYPTED_FIELD_NOT_HEX');
  const bytes = hexToBytes(content.toLowerCase());
  try {
    const ephemeralPublicKey = assertPublicKey(bytes.subarray(0, PUBLIC_KEY_BYTES));
    const nonce = bytes.subarray(PUBLIC_KEY_BYTES, PUBLIC_KEY_BYTES + NONCE_BYTES);
    const key = contentKey(secretKey, ephemeralPublicKey);
    const plain = gcm(key, nonce).decrypt(bytes.subarray(PUBLIC_KEY_BYTES + NONCE_BYTES));
    key.fill(0);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    throw new E2eeError('DECRYPTION_FAILED');
  }
}

/** Derives the shared AES key with HKDF over the shared point's x coordinate: 32 bytes, including leading zeros. */
function contentKey(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  // A compressed point is a prefix byte and x.
  const x = secp256k1.getSharedSecret(secretKey, publicKey, true).subarray(1);
  return hkdf(sha256, x, NO_SALT, HKDF_INFO, AES_KEY_BYTES);
}

function drawRandomness(): ContentRandomness {
  return { ephemeralSecretKey: secp256k1.utils.randomSecretKey(), nonce: randomBytes(NONCE_BYTES) };
}

const WHITE_SPACE_ONLY = /^\s*$/;

/**
 * Decrypts `choices[0].delta.content` of an encrypted stream. The specification treats short or non-hex content as
 * plaintext, so an intermediary could forge the reply. Therefore only empty and white-space content passes unencrypted.
 *
 * @param decrypt decryption of the model's scheme. Default: the specification's decryption
 * @throws {E2eeError} for plaintext or undecryptable content; the caller must show no more of the stream
 */
export function readReplyContent(content: string, secretKey: Uint8Array, decrypt = decryptContent): string {
  return WHITE_SPACE_ONLY.test(content) ? content : decrypt(content, secretKey);
}
