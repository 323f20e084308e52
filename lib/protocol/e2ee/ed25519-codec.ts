import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';

const ED25519_KEY_BYTES = 32;
const ED25519_NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** Hex length of an encrypted empty text: key, nonce and tag. */
export const ED25519_CONTENT_HEX_MIN = 2 * (ED25519_KEY_BYTES + ED25519_NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;
const KEY = /^[0-9a-f]{64}$/i;

export function isEd25519Content(content: string): boolean {
  return content.length >= ED25519_CONTENT_HEX_MIN && HEX.test(content);
}

/**
 * Parses a key from a header: 64 hex characters. Encryption later checks that the key is a curve point.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY
 */
export function parseEd25519Key(text: string): Uint8Array {
  if (!KEY.test(text)) throw new E2eeError('INVALID_PUBLIC_KEY', 'an ed25519 key is 64 hexadecimal characters');
  return hexToBytes(text.toLowerCase());
}

/**
 * Codec of content encrypted to ed25519 keys, version 2, as in NEAR AI's inference SDK. The key is converted to X25519
 * (RFC 7748) for ECDH with a fresh key; then HKDF-SHA256 and XChaCha20-Poly1305 without associated data. The format is
 * lower-case hex of `key (32) ‖ nonce (24) ‖ ciphertext ‖ tag (16)`.
 */

const HKDF_INFO = utf8ToBytes('ed25519_encryption');
const CIPHER_KEY_BYTES = 32;
const NO_SALT = undefined;

/** ed25519 keys, 32 bytes each. */
export interface Ed25519KeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateEd25519KeyPair(): Ed25519KeyPair {
  return ed25519.keygen();
}

/**
 * Encrypts text to a public key, with a fresh ephemeral key and nonce.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY for bytes that are not a point, or for a point of small order, which makes the
 * secret predictable
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
 * Decrypts content.
 *
 * @throws {E2eeError} ENCRYPTED_FIELD_NOT_HEX for a wrong format; DECRYPTION_FAILED otherwise, without the cause
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
    // Bytes that do not decode cause the error below.
  }
  throw new E2eeError('INVALID_PUBLIC_KEY', 'not a point of ed25519');
}

/** noble throws for an all-zero shared secret. */
function contentKey(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return hkdf(sha256, x25519.getSharedSecret(secretKey, publicKey), NO_SALT, HKDF_INFO, CIPHER_KEY_BYTES);
}
