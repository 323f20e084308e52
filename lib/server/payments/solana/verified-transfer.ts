import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { isEd25519Signature } from '../../auth/solana-signature';
import { readSolanaTransfer, type SolanaTransfer } from './solana-transfer';
import { addressBytes, associatedTokenAccount } from './token-programs';

interface TransferTerms {
  mint: string;
  decimals: number;
  receiver: string;
  /** Maximum lamports that the fee payer may spend on one payment. */
  feeLamportsMax: number;
}

/**
 * Transfer that does nothing but pay the receiver, signed by its payer. Fee payers' keys sign only such transfers.
 */
export class VerifiedTransfer {
  // Makes the type nominal, so that only this class can create a value of it.
  readonly #isVerified = true;

  private constructor(readonly transfer: Readonly<SolanaTransfer>) {
    Object.freeze(transfer);
  }

  /**
   * Parses and checks a payment.
   *
   * @throws InvalidPayment whose message states the first mismatch
   */
  static read(content: unknown, { mint, decimals, receiver, feeLamportsMax }: TransferTerms): VerifiedTransfer {
    const transfer = readSolanaTransfer(content);
    if (transfer.mint !== mint)
      throw new InvalidPayment('wrong_asset', `The transaction moves the token ${transfer.mint}, not ${mint}.`);
    if (transfer.decimals !== decimals)
      throw new InvalidPayment(
        'wrong_decimals',
        `The transfer states that the token has ${transfer.decimals} decimals, but it has ${decimals}.`,
      );
    const account = receivingAccount(receiver, mint, transfer.tokenProgram);
    if (transfer.destination !== account)
      throw new InvalidPayment(
        'wrong_receiver',
        `The transaction pays the token account ${transfer.destination}. It must pay ${account}, the token account of ${receiver}.`,
      );
    if (transfer.source === transfer.destination)
      throw new InvalidPayment('wrong_source', 'The transaction moves tokens within one account.');
    if (transfer.amountUnits <= 0n) throw new InvalidPayment('amount_too_small', 'The transaction moves nothing.');
    if (transfer.feeLamports > BigInt(feeLamportsMax)) {
      throw new InvalidPayment(
        'fee_too_high',
        `The fee of the transaction can be ${transfer.feeLamports} lamports, more than the maximum of ${feeLamportsMax}. Lower the compute unit limit or price.`,
      );
    }
    if (!isEd25519Signature(addressBytes(transfer.authority), transfer.messageBytes, transfer.payerSignature)) {
      throw new InvalidPayment(
        'invalid_signature',
        'The signature was not made by the payer, or is for a different transaction.',
      );
    }
    return new VerifiedTransfer(transfer);
  }

  static isVerified(value: object): value is VerifiedTransfer {
    return #isVerified in value;
  }
}

/** Cache of derived token accounts, because deriving one takes 1 ms. It has entries only for configured receivers. */
const receivingAccounts = new Map<string, string>();

function receivingAccount(receiver: string, mint: string, tokenProgram: string): string {
  const key = `${receiver}/${mint}/${tokenProgram}`;
  let account = receivingAccounts.get(key);
  if (account === undefined)
    receivingAccounts.set(key, (account = associatedTokenAccount(receiver, mint, tokenProgram)));
  return account;
}
