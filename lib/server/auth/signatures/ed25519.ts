import { createPublicKey, verify } from 'node:crypto';
import { ed25519Fault } from '@/lib/protocol/ed25519-encoding';

/**
 * Returns whether a key signed a message, as strictly as Solana itself (ed25519-dalek's `verify_strict`). Key and R
 * must be canonical and not of small order, because such values would admit other messages. S must be reduced, and the
 * equation must hold without the cofactor.
 */
export function isEd25519Signature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (ed25519Fault(key, signature) !== null) return false;
  try {
    // JWK, because OpenSSL needs longer to parse a DER key than to verify.
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
      format: 'jwk',
    });
    return verify(null, message, publicKey, signature);
  } catch {
    return false;
  }
}
