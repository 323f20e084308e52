import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { CAPSULE_BYTES, MlKemError, NONCE_BYTES, TAG_BYTES } from './format';

/**
 * Cryptography of Chutes' end-to-end encryption, as in its published client `chutes-e2ee` (MIT). ML-KEM-768 (FIPS 203)
 * encapsulates a secret. HKDF-SHA256, salted with the capsule's first 16 bytes, derives a key per purpose for
 * ChaCha20-Poly1305 with a random nonce.
 */

const SALT_BYTES = 16;
const CIPHER_KEY_BYTES = 32;

/** HKDF `info` for each purpose of a derived key. */
const PURPOSES = { request: 'e2e-req-v1', answer: 'e2e-resp-v1', stream: 'e2e-stream-v1' } as const;

type Purpose = keyof typeof PURPOSES;

/** ML-KEM-768 keys: 2,400 bytes secret, 1,184 bytes public. */
export interface MlKemKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateMlKemKeyPair(): MlKemKeyPair {
  return ml_kem768.keygen();
}

/**
 * Makes a content key, and the capsule from which the holder of the secret key can derive it.
 *
 * @throws {MlKemError} INVALID_KEY for an invalid ML-KEM-768 key (FIPS 203, 7.2)
 */
export function keyTo(publicKey: Uint8Array, purpose: Purpose): { key: Uint8Array; capsule: Uint8Array } {
  try {
    const { cipherText: capsule, sharedSecret } = ml_kem768.encapsulate(publicKey);
    return { key: derived(sharedSecret, capsule, purpose), capsule };
  } catch (cause) {
    throw new MlKemError('INVALID_KEY', 'The key is not a valid ML-KEM-768 key.', { cause });
  }
}

/**
 * Derives the key from a capsule. A capsule for another recipient yields a wrong key (implicit rejection, FIPS 203,
 * 6.3).
 *
 * @throws {MlKemError} NOT_DECRYPTABLE for a capsule of another length
 */
export function keyFrom(capsule: Uint8Array, secretKey: Uint8Array, purpose: Purpose): Uint8Array {
  if (capsule.length !== CAPSULE_BYTES)
    throw new MlKemError('NOT_DECRYPTABLE', `The ML-KEM-768 capsule does not have ${CAPSULE_BYTES} bytes.`);
  return derived(ml_kem768.decapsulate(capsule, secretKey), capsule, purpose);
}

/** Encrypts a piece to `nonce ‖ ciphertext ‖ tag`. */
export function sealPiece(plain: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return concatBytes(nonce, chacha20poly1305(key, nonce).encrypt(plain));
}

/** @throws {MlKemError} NOT_DECRYPTABLE */
export function openPiece(piece: Uint8Array, key: Uint8Array): Uint8Array {
  if (piece.length < NONCE_BYTES + TAG_BYTES) throw new MlKemError('NOT_DECRYPTABLE', 'The ciphertext is too short.');
  try {
    return chacha20poly1305(key, piece.subarray(0, NONCE_BYTES)).decrypt(piece.subarray(NONCE_BYTES));
  } catch (cause) {
    throw new MlKemError('NOT_DECRYPTABLE', 'The ciphertext cannot be decrypted.', { cause });
  }
}

function derived(sharedSecret: Uint8Array, capsule: Uint8Array, purpose: Purpose): Uint8Array {
  return hkdf(sha256, sharedSecret, capsule.subarray(0, SALT_BYTES), utf8ToBytes(PURPOSES[purpose]), CIPHER_KEY_BYTES);
}
