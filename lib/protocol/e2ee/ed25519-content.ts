import { hexToBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';

/** Size of ed25519 and X25519 keys. */
export const ED25519_KEY_BYTES = 32;
export const ED25519_NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** Hex characters of an encrypted empty text: key, nonce and tag. */
export const ED25519_CONTENT_HEX_MIN = 2 * (ED25519_KEY_BYTES + ED25519_NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;
const KEY = /^[0-9a-f]{64}$/i;

export function isEd25519Content(content: string): boolean {
  return content.length >= ED25519_CONTENT_HEX_MIN && HEX.test(content);
}

/**
 * Parses a key from a header: 64 hex characters. Encryption later checks whether the key is a point.
 *
 * @throws {E2eeError} INVALID_PUBLIC_KEY
 */
export function parseEd25519Key(text: string): Uint8Array {
  if (!KEY.test(text)) throw new E2eeError('INVALID_PUBLIC_KEY', 'a key of ed25519 is 64 hexadecimal characters');
  return hexToBytes(text.toLowerCase());
}
