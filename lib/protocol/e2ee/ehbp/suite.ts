import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** EHBP's HPKE suite (specification, 3.2; RFC 9180): X25519, HKDF-SHA256 and AES-256-GCM, by WebCrypto. */
export const EHBP_SUITE = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);

/** HPKE info of a request (EHBP specification, 4.4.1). */
export const REQUEST_INFO = utf8ToBytes('ehbp request');
/** Label for exporting the answer's secret from the HPKE context. */
export const RESPONSE_LABEL = utf8ToBytes('ehbp response');

/** Bytes of a public key, of an encapsulated key, and of the exported secret. */
export const KEY_BYTES = 32;
