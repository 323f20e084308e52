import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';
import { ED25519_KEY_BYTES, ED25519_NONCE_BYTES, isEd25519Content } from './ed25519-content';

/**
 * The codec of contents encrypted to keys of ed25519, version 2, as NEAR AI's enclaves have it (its inference SDK is the
 * public reference): the key becomes one of X25519 (RFC 7748), with which a fresh key agrees on a secret; HKDF-SHA256 over
 * that, XChaCha20-Poly1305 without associated data, and the lower-case hex of `key (32) ‖ nonce (24) ‖ ciphertext ‖ tag (16)`.
 */

const HKDF_INFO = utf8ToBytes('ed25519_encryption');
const CIPHER_KEY_BYTES = 32;
const NO_SALT = undefined;

/** A pair of ed25519, 32 bytes each. */
export interface Ed25519KeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateEd25519KeyPair(): Ed25519KeyPair {
  return ed25519.keygen();
}

/**
 * Encrypts text to the holder of a key, each time under a fresh key and nonce.
 * @throws {E2eeError} INVALID_PUBLIC_KEY for bytes that are no point, and for a point under which everybody has the same secret
 */
export function encryptToEd25519(text: string, publicKey: Uint8Array): string {
  const fresh = x25519.keygen();
  const nonce = randomBytes(ED25519_NONCE_BYTES);
  const sealed = xchacha20poly1305(contentKey(fresh.secretKey, montgomeryOf(publicKey)), nonce).encrypt(
    utf8ToBytes(text),
  );
  return bytesToHex(concatBytes(fresh.publicKey, nonce, sealed));
}

/**
 * Decrypts content with the secret of the key that it was encrypted to.
 * @throws {E2eeError} ENCRYPTED_FIELD_NOT_HEX where it has not the form; DECRYPTION_FAILED for whatever else, never saying what
 */
export function decryptWithEd25519(content: string, secretKey: Uint8Array): string {
  if (!isEd25519Content(content)) throw new E2eeError('ENCRYPTED_FIELD_NOT_HEX');
  const bytes = hexToBytes(content.toLowerCase());
  try {
    const key = contentKey(ed25519.utils.toMontgomerySecret(secretKey), bytes.subarray(0, ED25519_KEY_BYTES));
    const nonce = bytes.subarray(ED25519_KEY_BYTES, ED25519_KEY_BYTES + ED25519_NONCE_BYTES);
    const plain = xchacha20poly1305(key, nonce).decrypt(bytes.subarray(ED25519_KEY_BYTES + ED25519_NONCE_BYTES));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    throw new E2eeError('DECRYPTION_FAILED');
  }
}

function montgomeryOf(publicKey: Uint8Array): Uint8Array {
  try {
    const point = ed25519.Point.fromBytes(publicKey);
    if (!point.isSmallOrder()) return ed25519.utils.toMontgomery(publicKey);
  } catch {
    // Said below.
  }
  throw new E2eeError('INVALID_PUBLIC_KEY', 'not a point of ed25519');
}

/** Of a shared secret that is not zero, which noble refuses. */
function contentKey(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return hkdf(sha256, x25519.getSharedSecret(secretKey, publicKey), NO_SALT, HKDF_INFO, CIPHER_KEY_BYTES);
}
