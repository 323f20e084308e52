import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { MlKemError } from './ml-kem-error';
import { CAPSULE_BYTES, NONCE_BYTES, TAG_BYTES } from './sizes';

/**
 * The cryptography of Chutes' end-to-end encryption, as its published client `chutes-e2ee` (MIT) has it: ML-KEM-768
 * (FIPS 203) encapsulates a secret; HKDF-SHA256 over that, salted with the first 16 bytes of the capsule, gives a key for
 * one purpose; ChaCha20-Poly1305 without associated data encrypts under it, each time with a nonce drawn at random.
 */

const SALT_BYTES = 16;
const CIPHER_KEY_BYTES = 32;

/** What a key is for: the `info` of HKDF. */
export const PURPOSES = { request: 'e2e-req-v1', answer: 'e2e-resp-v1', stream: 'e2e-stream-v1' } as const;

export type Purpose = keyof typeof PURPOSES;

/** A pair of ML-KEM-768: 2,400 and 1,184 bytes. */
export interface MlKemKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateMlKemKeyPair(): MlKemKeyPair {
  return ml_kem768.keygen();
}

/**
 * Makes a key that only the holder of another can make as well.
 * @returns that key, and the capsule by which it is found
 * @throws {MlKemError} INVALID_KEY for bytes that are no key of ML-KEM-768 (FIPS 203, 7.2)
 */
export function keyTo(publicKey: Uint8Array, purpose: Purpose): { key: Uint8Array; capsule: Uint8Array } {
  try {
    const { cipherText: capsule, sharedSecret } = ml_kem768.encapsulate(publicKey);
    return { key: derived(sharedSecret, capsule, purpose), capsule };
  } catch (cause) {
    throw new MlKemError('INVALID_KEY', 'The key is none of ML-KEM-768.', { cause });
  }
}

/**
 * The same key, by its capsule. A capsule for somebody else gives a key like any other, under which nothing decrypts
 * (implicit rejection, FIPS 203, 6.3).
 * @throws {MlKemError} NOT_DECRYPTABLE for bytes that are no capsule
 */
export function keyFrom(capsule: Uint8Array, secretKey: Uint8Array, purpose: Purpose): Uint8Array {
  if (capsule.length !== CAPSULE_BYTES)
    throw new MlKemError('NOT_DECRYPTABLE', `A capsule of ML-KEM-768 has ${CAPSULE_BYTES} bytes.`);
  return derived(ml_kem768.decapsulate(capsule, secretKey), capsule, purpose);
}

/** Encrypts: `nonce ‖ ciphertext ‖ tag`. */
export function sealPiece(plain: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return concatBytes(nonce, chacha20poly1305(key, nonce).encrypt(plain));
}

/** @throws {MlKemError} NOT_DECRYPTABLE */
export function openPiece(piece: Uint8Array, key: Uint8Array): Uint8Array {
  if (piece.length < NONCE_BYTES + TAG_BYTES)
    throw new MlKemError('NOT_DECRYPTABLE', 'It is too short to be encrypted.');
  try {
    return chacha20poly1305(key, piece.subarray(0, NONCE_BYTES)).decrypt(piece.subarray(NONCE_BYTES));
  } catch (cause) {
    throw new MlKemError('NOT_DECRYPTABLE', 'It does not decrypt.', { cause });
  }
}

function derived(sharedSecret: Uint8Array, capsule: Uint8Array, purpose: Purpose): Uint8Array {
  return hkdf(sha256, sharedSecret, capsule.subarray(0, SALT_BYTES), utf8ToBytes(PURPOSES[purpose]), CIPHER_KEY_BYTES);
}
