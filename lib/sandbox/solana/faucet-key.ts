import { createPrivateKey, createPublicKey, createHash, type KeyObject, sign } from 'node:crypto';
import type { Account } from './accounts/account';
import { addressBytes, MEMO_PROGRAM, SYSTEM_PROGRAM } from './programs';
import { decodeTransaction, type Transaction } from './transaction/transaction';

export const LAMPORTS_PER_SOL = 1_000_000_000n;
/** Faucet's balance when the chain opens: about the SOL supply of the public network. */
const FAUCET_LAMPORTS = 500_000_000n * LAMPORTS_PER_SOL;
/** PKCS #8 prefix of a 32-byte ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_KEY_AT = 12;

/** Key of a chain's faucet. The faucet is refilled whenever the chain opens. */
export class FaucetKey {
  readonly address: Uint8Array;
  readonly #key: KeyObject;

  constructor(seed: Uint8Array) {
    const secret = createHash('sha256').update('faucet').update(seed).digest();
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, secret]), format: 'der', type: 'pkcs8' });
    this.address = createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(SPKI_KEY_AT);
  }

  get account(): Account {
    return {
      lamports: FAUCET_LAMPORTS,
      data: new Uint8Array(),
      owner: addressBytes(SYSTEM_PROGRAM),
      executable: false,
    };
  }

  sign(message: Uint8Array): Buffer {
    return sign(null, message, this.#key);
  }
}

const TRANSFER = 2;

/** Signs a legacy transaction that sends lamports from the faucet. The memo makes repeated transactions different. */
export function faucetTransaction(
  faucet: FaucetKey,
  to: Uint8Array,
  lamports: bigint,
  blockhash: Uint8Array,
  memo: string,
): Transaction {
  const transfer = Buffer.alloc(12);
  transfer.writeUInt32LE(TRANSFER, 0);
  transfer.writeBigUInt64LE(lamports, 4);
  const text = Buffer.from(memo);
  const [faucetAt, toAt, systemAt, memoAt] = [0, 1, 2, 3];
  const message = Buffer.concat([
    Buffer.from([1, 0, 2, 4]),
    faucet.address,
    to,
    addressBytes(SYSTEM_PROGRAM),
    addressBytes(MEMO_PROGRAM),
    blockhash,
    Buffer.from([2, systemAt, 2, faucetAt, toAt, transfer.length]),
    transfer,
    Buffer.from([memoAt, 0, text.length]),
    text,
  ]);
  return decodeTransaction(Buffer.concat([Buffer.from([1]), faucet.sign(message), message]));
}
