import { x25519 } from '@noble/curves/ed25519.js';

/** A pair of X25519, 32 bytes each. */
export interface HpkeKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

/** A new pair. */
export function generateHpkeKeyPair(): HpkeKeyPair {
  return x25519.keygen();
}
