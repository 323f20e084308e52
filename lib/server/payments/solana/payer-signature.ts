import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';

/** SubjectPublicKeyInfo of an ed25519 key is this prefix and its 32 bytes (RFC 8410). */
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Whether Solana would take this signature: ed25519 as ed25519-dalek's `verify_strict` judges it. The equation holds
 * without the cofactor and S is reduced (OpenSSL sees to both), key and R are canonical, and neither has a low order,
 * under which a signature fits messages that its owner never saw.
 */
export function isStrictSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false;
  if (!isSoundPoint(publicKey) || !isSoundPoint(signature.subarray(0, KEY_BYTES))) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}

function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(Uint8Array.from(bytes), false).isSmallOrder();
  } catch {
    return false;
  }
}
