import { createPublicKey, verify } from 'node:crypto';
import { ed25519Fault } from '@/lib/protocol/ed25519-encoding';

/** What comes before the 32 bytes of an ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether a key signed a message, as strictly as Solana itself judges it (ed25519-dalek's `verify_strict`): key and R
 * are canonical and of no small order, under which a signature fits messages that its owner never saw, S is reduced, and
 * the equation holds without the cofactor. Node's own verification sees to the last, in a seventh of the time that
 * JavaScript takes.
 */
export function isEd25519Signature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (ed25519Fault(key, signature) !== null) return false;
  try {
    return verify(null, message, createPublicKey({ key: Buffer.concat([SPKI_PREFIX, key]), format: 'der', type: 'spki' }), signature);
  } catch {
    return false;
  }
}
