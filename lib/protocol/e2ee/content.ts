import { PUBLIC_KEY_BYTES } from './public-key';

export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The least encrypted content: key, nonce and tag around an empty text, 186 hex characters (specification, "Limits"). */
export const ENCRYPTED_CONTENT_HEX_MIN = 2 * (PUBLIC_KEY_BYTES + NONCE_BYTES + TAG_BYTES);

const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Whether content has the form of encrypted content: whole bytes in hex, and at least 186 characters. */
export function isEncryptedContent(content: string): boolean {
  return content.length >= ENCRYPTED_CONTENT_HEX_MIN && HEX.test(content);
}
