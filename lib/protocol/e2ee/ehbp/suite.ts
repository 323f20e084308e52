import { gcm } from '@noble/ciphers/aes.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke';
import { EhbpError } from './format';

/** EHBP's HPKE suite (specification, 3.2; RFC 9180): X25519, HKDF-SHA256 and AES-256-GCM, by WebCrypto. */
export const EHBP_SUITE = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);

/** HPKE info of a request (EHBP specification, 4.4.1). */
export const REQUEST_INFO = utf8ToBytes('ehbp request');
/** Label for exporting the answer's secret from the HPKE context. */
export const RESPONSE_LABEL = utf8ToBytes('ehbp response');

/** Length in bytes of public key, encapsulated key and exported secret. */
export const KEY_BYTES = 32;

/** Length of the response nonce in bytes: the larger of AES-256-GCM's key size and nonce size. */
export const RESPONSE_NONCE_BYTES = 32;
const AEAD_NONCE_BYTES = 12;
/** Maximum number of frames in an answer. With more frames, the counter would wrap and reuse a nonce. */
const FRAMES_MAX = 2 ** 32;

export interface ResponseSecrets {
  /** Secret exported from the request's HPKE context, 32 bytes. */
  exportedSecret: Uint8Array;
  encapsulatedKey: Uint8Array;
}

/**
 * Cipher of one answer (EHBP specification, 4.4; RFC 9458, 4.4). Each frame's nonce includes a counter. Use an object
 * only to encrypt or only to decrypt.
 */
export class ResponseCipher {
  readonly #key: Uint8Array;
  readonly #nonce: Uint8Array;
  #frames = 0;

  /** @throws {EhbpError} INVALID_RESPONSE_NONCE unless the nonce has 32 bytes */
  constructor({ exportedSecret, encapsulatedKey }: ResponseSecrets, responseNonce: Uint8Array) {
    if (responseNonce.length !== RESPONSE_NONCE_BYTES)
      throw new EhbpError('INVALID_RESPONSE_NONCE', `The nonce of the answer is not ${RESPONSE_NONCE_BYTES} bytes.`);
    const prk = extract(sha256, exportedSecret, concatBytes(encapsulatedKey, responseNonce));
    this.#key = expand(sha256, prk, utf8ToBytes('key'), KEY_BYTES);
    this.#nonce = expand(sha256, prk, utf8ToBytes('nonce'), AEAD_NONCE_BYTES);
  }

  seal(plaintext: Uint8Array): Uint8Array {
    return gcm(this.#key, this.#nextNonce()).encrypt(plaintext);
  }

  /** @throws {EhbpError} AEAD_DECRYPT_FAILED unless the ciphertext is the next frame of this answer */
  open(ciphertext: Uint8Array): Uint8Array {
    try {
      return gcm(this.#key, this.#nextNonce()).decrypt(ciphertext);
    } catch (cause) {
      throw cause instanceof EhbpError
        ? cause
        : new EhbpError('AEAD_DECRYPT_FAILED', 'A frame of the answer does not decrypt.', { cause });
    }
  }

  #nextNonce(): Uint8Array {
    if (this.#frames >= FRAMES_MAX)
      throw new EhbpError('SEQUENCE_OVERFLOW', 'The answer has more frames than there are nonces.');
    const nonce = this.#nonce.slice();
    const view = new DataView(nonce.buffer);
    view.setUint32(AEAD_NONCE_BYTES - 4, view.getUint32(AEAD_NONCE_BYTES - 4) ^ this.#frames);
    this.#frames++;
    return nonce;
  }
}
