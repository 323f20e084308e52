import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes, ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs';

const MARKER = Buffer.from('ProgramDerivedAddress');

/** Returns an owner's associated token account for a mint, which wallets use by default. */
export function associatedTokenAddress(owner: Uint8Array, mint: Uint8Array): Uint8Array {
  return programAddress([owner, addressBytes(TOKEN_PROGRAM), mint], addressBytes(ASSOCIATED_TOKEN_PROGRAM));
}

/**
 * Derives a program address from seeds: the first of 256 candidates that is not on the ed25519 curve. No secret key
 * exists for such an address.
 */
function programAddress(seeds: readonly Uint8Array[], program: Uint8Array): Uint8Array {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const address = createHash('sha256')
      .update(Buffer.concat([...seeds, Buffer.from([bump]), program, MARKER]))
      .digest();
    if (!isPublicKey(address)) return address;
  }
  throw new Error('All 256 addresses are public keys, which has a probability of 2^-256.');
}

function isPublicKey(address: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(address);
    return true;
  } catch {
    return false;
  }
}
