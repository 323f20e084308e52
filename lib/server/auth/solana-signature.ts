import { ed25519Fault } from '@/lib/protocol/ed25519-encoding';
import { base58 } from '@scure/base';
import { createPublicKey, verify } from 'node:crypto';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/_-]{86}(?:==)?$/;
const BASE58_LENGTH_MAX = 88;

/**
 * Returns whether a wallet signed the UTF-8 bytes of a message (ed25519, RFC 8032, as strictly as Solana itself).
 * @param address address in base58
 * @param signature 64 bytes in base58 or Base64; any other text is invalid
 */
export function isSolanaSignature(address: string, message: string, signature: string): boolean {
  const key = fromBase58(address, KEY_BYTES);
  if (!key) return false;
  const bytes = new TextEncoder().encode(message);
  // Some signatures are valid text in both encodings.
  return [fromBase58(signature, SIGNATURE_BYTES), fromBase64(signature)].some(
    (candidate) => candidate !== null && isEd25519Signature(key, bytes, candidate),
  );
}

function fromBase58(text: string, length: number): Uint8Array | null {
  if (text.length > BASE58_LENGTH_MAX) return null;
  try {
    const bytes = base58.decode(text);
    return bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}

function fromBase64(text: string): Uint8Array | null {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

/**
 * Returns whether a key signed a message, as strictly as Solana itself (ed25519-dalek's `verify_strict`). Key and R
 * must be canonical and not of small order. Otherwise a signature could be valid for other messages too. S must be
 * reduced, and the equation must hold without the cofactor.
 */
export function isEd25519Signature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (ed25519Fault(key, signature) !== null) return false;
  try {
    // Uses a JWK, because OpenSSL takes longer to parse a DER key than to verify a signature.
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
      format: 'jwk',
    });
    return verify(null, message, publicKey, signature);
  } catch {
    return false;
  }
}
