import { base64 } from '@scure/base';
import { hexToBytes } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';
import { QUOTE_BYTES_MAX } from './quote';

const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes a quote in hex or base64, because services differ. Text of only hex digits is hex, because base64 of
 * thousands of bytes has other characters.
 *
 * @throws {Malformed}
 */
export function quoteFromText(text: string): Uint8Array {
  if (text.length > 2 * QUOTE_BYTES_MAX + 2) throw new Malformed('The quote is too long.');
  const hex = HEX.exec(text);
  if (hex) return hexToBytes((hex[1] as string).toLowerCase());
  if (!BASE64.test(text)) throw new Malformed('The quote is neither hex nor base64.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The quote is not valid base64.');
  }
}

export function quoteToText(bytes: Uint8Array): string {
  return base64.encode(bytes);
}
