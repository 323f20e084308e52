import { hexToBytes } from '@noble/hashes/utils.js';
import { E2eeError } from './e2ee-error';

/** Of keys of ed25519 and X25519. */
export const ED25519_KEY_BYTES = 32;
export const ED25519_NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** The least encrypted content: key, nonce and tag around an empty text. */
export const ED25519_CONTENT_HEX_MIN = 2 * (ED25519_KEY_BYTES + ED25519_NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;
const KEY = /^[0-9a-f]{64}$/i;

/** Whether content has the form of content that is encrypted to a key of ed25519: whole bytes in hex, and as many as it takes. */
export function isEd25519Content(content: string): boolean {
  return content.length >= ED25519_CONTENT_HEX_MIN && HEX.test(content);
}

/** Reads a key of a header: 64 characters of hex. @throws {E2eeError} INVALID_PUBLIC_KEY; whether it is a point, only who encrypts looks */
export function parseEd25519Key(text: string): Uint8Array {
  if (!KEY.test(text)) throw new E2eeError('INVALID_PUBLIC_KEY', 'a key of ed25519 is 64 hexadecimal characters');
  return hexToBytes(text.toLowerCase());
}
