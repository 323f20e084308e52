import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { ed25519 } from '@noble/curves/ed25519.js';
import { createHash } from 'node:crypto';
import type { Account } from './accounts/account';
import type { FaucetKey } from './faucet-key';
import { addressBytes, ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs';
import { decodeTransaction, type Transaction } from './transaction/transaction';

const MARKER = Buffer.from('ProgramDerivedAddress');

/** Returns the associated token account: wallets use this account by default for an owner and a mint. */
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

export const USDC_DECIMALS = 6;
export const MINT_BYTES = 82;
const CREATE_IDEMPOTENT = 1;
const MINT_TO = 7;

/**
 * Returns the sandbox's USDC mint at genesis (spl-token-interface, `Mint`): no supply, the faucet as mint authority, no
 * freeze authority.
 */
export function usdcMint(authority: Uint8Array, lamports: bigint): Account {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(authority, 4);
  data[44] = USDC_DECIMALS;
  data[45] = 1;
  return { lamports, data, owner: addressBytes(TOKEN_PROGRAM), executable: false };
}

/**
 * Signs a legacy faucet transaction that mints USDC to an owner's associated token account, and creates the account if
 * missing. The memo makes repeated transactions different.
 */
export function usdcTransaction(
  faucet: FaucetKey,
  owner: Uint8Array,
  units: bigint,
  blockhash: Uint8Array,
  memo: string,
): Transaction {
  const mint = addressBytes(SANDBOX_USDC_MINT);
  const mintTo = Buffer.alloc(9);
  mintTo.writeUInt8(MINT_TO, 0);
  mintTo.writeBigUInt64LE(units, 1);
  const text = Buffer.from(memo);
  const [faucetAt, accountAt, mintAt, ownerAt, systemAt, tokenAt, associatedAt, memoAt] = [0, 1, 2, 3, 4, 5, 6, 7];
  const message = Buffer.concat([
    // Message header: one signature, no read-only signer, five other read-only accounts. Then the number of accounts.
    Buffer.from([1, 0, 5, 8]),
    faucet.address,
    associatedTokenAddress(owner, mint),
    mint,
    owner,
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAM].map(addressBytes),
    blockhash,
    Buffer.from([3]),
    Buffer.from([associatedAt, 6, faucetAt, accountAt, ownerAt, mintAt, systemAt, tokenAt, 1, CREATE_IDEMPOTENT]),
    Buffer.from([tokenAt, 3, mintAt, accountAt, faucetAt, mintTo.length]),
    mintTo,
    Buffer.from([memoAt, 0, text.length]),
    text,
  ]);
  return decodeTransaction(Buffer.concat([Buffer.from([1]), faucet.sign(message), message]));
}
