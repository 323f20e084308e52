import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { VerifiedTransfer } from './verified-transfer';

/** PKCS #8 of an ed25519 seed is this prefix and its 32 bytes (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_KEY_AT = 12;
const SEED_BYTES = 32;
/** After the byte that counts the signatures. */
const FEE_PAYER_SIGNATURE_AT = 1;

/** A transaction with all of its signatures. It leaves this process as it is or not at all. */
export interface SignedTransaction {
  /** In base64. */
  wire: string;
  /** The fee payer's, which names the transaction. */
  signature: string;
}

/** A key that pays the fees of payments and signs for that. */
export class SolanaKey {
  readonly address: string;
  readonly #key: KeyObject;

  /**
   * @param secret base58 of the 32 bytes of the seed, or of the 64 of seed and public key
   * @throws RangeError for anything else
   */
  constructor(secret: string) {
    const bytes = Buffer.from(base58.decode(secret));
    if (bytes.length !== SEED_BYTES && bytes.length !== 2 * SEED_BYTES)
      throw new RangeError('A Solana key has 32 or 64 bytes.');
    this.#key = createPrivateKey({
      key: Buffer.concat([PKCS8_ED25519, bytes.subarray(0, SEED_BYTES)]),
      format: 'der',
      type: 'pkcs8',
    });
    this.address = base58.encode(
      createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(SPKI_KEY_AT),
    );
  }

  /**
   * Signs as the fee payer of a transfer that was verified: nothing else can be had signed.
   * @throws TypeError for what was not verified, or has another fee payer
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
