import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { ed25519Fault } from '../ed25519-encoding';
import { type ResponseSignature, signableTexts, type SignedExchange } from './response-signature';

const SIGNATURE = /^(?:0x)?([0-9a-f]{128})$/i;

/**
 * Returns why an enclave's ed25519 signature over an exchange is invalid, as a sentence; null if valid. Verifies by RFC
 * 8032 without the cofactor. The signed text has no prefix.
 *
 * @param exchange `address` is the attested key, 64 hex digits
 */
export function ed25519ResponseFault({ text, signature }: ResponseSignature, exchange: SignedExchange): string | null {
  if (!signableTexts(exchange).includes(text)) return 'The signature is for another request or another response.';
  const digits = SIGNATURE.exec(signature)?.[1];
  if (digits === undefined) return 'The signature is not 64 bytes of ed25519.';
  const [bytes, key] = [hexToBytes(digits.toLowerCase()), hexToBytes(exchange.address)];
  const isHeld = ed25519Fault(key, bytes) === null && isSigned(bytes, text, key);
  return isHeld ? null : 'The signature was not made with the attested key.';
}

function isSigned(signature: Uint8Array, text: string, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, new TextEncoder().encode(text), key, { zip215: false });
  } catch {
    return false;
  }
}
