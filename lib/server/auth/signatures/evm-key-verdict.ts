import { recover } from 'tiny-secp256k1';
import { keyVerdict, type KeyVerdict, type RecoverPublicKey } from '@/lib/protocol/evm-signature';

/**
 * Returns whether an address's key signed a hash (see `keyVerdict`). WebAssembly takes a fifth of JavaScript's time.
 */
export function evmKeyVerdict(address: string, hash: Uint8Array, signature: string): KeyVerdict {
  return keyVerdict(address, hash, signature, recoverInWasm);
}

/** Recovers keys with libsecp256k1, compiled to WebAssembly. */
export const recoverInWasm: RecoverPublicKey = (hash, rs, parity) => {
  try {
    return recover(hash, rs, parity, false);
  } catch {
    // No point of the curve has r as its x coordinate.
    return null;
  }
};
