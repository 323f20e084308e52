import { PUBLIC_KEY_BYTES } from './public-key';

export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Hex characters of an encrypted empty text, which has only key, nonce and tag: 186 (specification, "Limits"). */
export const ENCRYPTED_CONTENT_HEX_MIN = 2 * (PUBLIC_KEY_BYTES + NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Returns whether content has the encrypted format: an even number of hex characters, at least 186. */
export function isEncryptedContent(content: string): boolean {
  return content.length >= ENCRYPTED_CONTENT_HEX_MIN && HEX.test(content);
}
