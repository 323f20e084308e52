import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { address, type Address, getBase58Decoder, getBase58Encoder, getBase64EncodedWireTransaction, getBase64Encoder, getTransactionDecoder, type SignatureBytes } from '@solana/kit';

/** PKCS #8 of an ed25519 seed is this prefix and its 32 bytes (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_KEY_AT = 12;
const SEED_BYTES = 32;

/** A key that pays the fees of payments and signs for that. */
export class SolanaKey {
  readonly address: Address;
  readonly #key: KeyObject;

  /**
   * @param secret base58 of the 32 bytes of the seed, or of the 64 of seed and public key
   * @throws RangeError for anything else
   */
  constructor(secret: string) {
    const bytes = Buffer.from(getBase58Encoder().encode(secret));
    if (bytes.length !== SEED_BYTES && bytes.length !== 2 * SEED_BYTES) throw new RangeError('A Solana key has 32 or 64 bytes.');
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, bytes.subarray(0, SEED_BYTES)]), format: 'der', type: 'pkcs8' });
    this.address = address(getBase58Decoder().decode(createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(SPKI_KEY_AT)));
  }

  /** Puts this key's signature on a transaction in base64. The first signature is the transaction's name: the fee payer's. */
  sign(wire: string): { wire: string; signature: string } {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const signature = sign(null, Uint8Array.from(transaction.messageBytes), this.#key);
    const signed = { ...transaction, signatures: { ...transaction.signatures, [this.address]: new Uint8Array(signature) as SignatureBytes } };
    return { wire: getBase64EncodedWireTransaction(signed), signature: getBase58Decoder().decode(signature) };
  }
}
