import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { VerifiedTransfer } from './verified-transfer';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_KEY_AT = 12;
const SEED_BYTES = 32;
const FEE_PAYER_SIGNATURE_AT = 1;

interface SignedTransaction {
  /** Base64. */
  wire: string;
  /** Fee payer's signature. It is the transaction's id. */
  signature: string;
}

/**
 * Returns the 32-byte seed of a key.
 *
 * @param secret seed in base58, or the seed followed by the public key in base58
 * @throws RangeError for anything else
 */
export function seedOf(secret: string): Uint8Array {
  const bytes = base58.decode(secret);
  if (bytes.length !== SEED_BYTES && bytes.length !== 2 * SEED_BYTES)
    throw new RangeError('A Solana key has 32 or 64 bytes.');
  return Uint8Array.from(bytes.subarray(0, SEED_BYTES));
}

/** Key of a fee payer. Signs payment transactions and pays their fees. */
export class SolanaKey {
  readonly address: string;
  readonly #key: KeyObject;

  /** @param secret key in a form that `seedOf` accepts @throws RangeError */
  constructor(secret: string) {
    this.#key = createPrivateKey({
      key: Buffer.concat([PKCS8_ED25519, seedOf(secret)]),
      format: 'der',
      type: 'pkcs8',
    });
    this.address = base58.encode(
      createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(SPKI_KEY_AT),
    );
  }

  /**
   * Signs a verified transfer as fee payer. @throws TypeError if the transfer is not verified, or has a different fee
   * payer
   */
  sign(verified: VerifiedTransfer): SignedTransaction {
    if (!VerifiedTransfer.isVerified(verified)) throw new TypeError('Only verified transfers are signed.');
    const { feePayer, messageBytes, wire } = verified.transfer;
    if (feePayer !== this.address) throw new TypeError('The fee of this transfer is paid by another key.');
    const signature = sign(null, messageBytes, this.#key);
    const signed = Buffer.from(wire, 'base64');
    signed.set(signature, FEE_PAYER_SIGNATURE_AT);
    return { wire: signed.toString('base64'), signature: base58.encode(signature) };
  }
}
