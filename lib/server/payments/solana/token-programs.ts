import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Program for the assertions that Phantom and Solflare add to transactions. */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

export const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const MARKER = Buffer.from('ProgramDerivedAddress');
const ADDRESS_BYTES = 32;

/**
 * Returns an owner's associated token account for a mint and token program. The "exact" scheme on Solana pays only to
 * this account (x402, scheme_exact_svm, section 1.1).
 *
 * @throws RangeError for an invalid address
 */
export function associatedTokenAccount(owner: string, mint: string, tokenProgram: string): string {
  const seeds = [owner, tokenProgram, mint].map(addressBytes);
  const program = addressBytes(ASSOCIATED_TOKEN_PROGRAM);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const address = createHash('sha256')
      .update(Buffer.concat([...seeds, Buffer.from([bump]), program, MARKER]))
      .digest();
    // A derived address must not be a point on the curve, so that no secret key exists for it.
    if (!isPublicKey(address)) return base58.encode(address);
  }
  throw new RangeError('All 256 addresses are public keys, which has a probability of 2^-256.');
}

export function addressBytes(address: string): Uint8Array {
  const bytes = isAddressText(address) ? base58.decode(address) : new Uint8Array();
  if (bytes.length !== ADDRESS_BYTES)
    throw new RangeError(`${JSON.stringify(address.slice(0, 60))} is not a Solana address.`);
  return bytes;
}

/** Checks the length first, because the time to decode base58 grows with the square of the length. */
function isAddressText(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);
}

function isPublicKey(address: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(address);
    return true;
  } catch {
    return false;
  }
}
