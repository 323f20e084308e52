import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';

const ATTESTATION_NONCE_BYTES = 32;

const NONCE = /^[0-9a-f]{64}$/i;

/** Generates a random nonce of 64 lower-case hex characters. */
export function drawAttestationNonce(): string {
  return bytesToHex(randomBytes(ATTESTATION_NONCE_BYTES));
}

/**
 * Parses a nonce of 64 hex characters.
 *
 * @throws {E2eeError} NONCE_LENGTH
 */
export function parseAttestationNonce(text: string): Uint8Array {
  if (!NONCE.test(text)) throw new E2eeError('NONCE_LENGTH', '64 hexadecimal characters');
  return hexToBytes(text.toLowerCase());
}
