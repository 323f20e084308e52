import { x25519 } from '@noble/curves/ed25519.js';

/** X25519 keys, 32 bytes each. */
export interface HpkeKeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

export function generateHpkeKeyPair(): HpkeKeyPair {
  return x25519.keygen();
}
