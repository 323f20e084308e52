import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { isEd25519Signature } from '../../auth/signatures/ed25519';
import { readSolanaTransfer, type SolanaTransfer } from './solana-transfer';
import { addressBytes, associatedTokenAccount } from './token-programs';

/** What the transfer of a payment must be. */
export interface TransferTerms {
  mint: string;
  decimals: number;
  /** Owner of the token account that receives. */
  receiver: string;
  /** The most that the fee payer spends on one payment, in lamports. */
  feeLamportsMax: number;
}

/**
 * A transfer that pays the receiver, and does nothing else, by its payer's own signature. There is no other way to make
 * one than to check all of that, and a key of ours signs nothing but these.
 */
export class VerifiedTransfer {
  // Makes the type one that nothing else fits, whatever fields it has.
  readonly #isVerified = true;

  private constructor(readonly transfer: Readonly<SolanaTransfer>) {
    Object.freeze(transfer);
  }

  /**
   * Reads the content of a payment and checks all of it.
   * @throws InvalidPayment naming the first that does not fit
   */
  static read(content: unknown, { mint, decimals, receiver, feeLamportsMax }: TransferTerms): VerifiedTransfer {
    const transfer = readSolanaTransfer(content);
    if (transfer.mint !== mint)
      throw new InvalidPayment('wrong_asset', `The transaction moves the token ${transfer.mint}, not ${mint}.`);
    if (transfer.decimals !== decimals)
      throw new InvalidPayment(
        'wrong_decimals',
        `The transfer is over a token of ${transfer.decimals} decimals; this one has ${decimals}.`,
      );
    const account = receivingAccount(receiver, mint, transfer.tokenProgram);
    if (transfer.destination !== account)
      throw new InvalidPayment(
        'wrong_receiver',
        `The transaction pays the token account ${transfer.destination}, not that of ${receiver}, which is ${account}.`,
      );
    if (transfer.source === transfer.destination)
      throw new InvalidPayment('wrong_source', 'The transaction moves tokens within one account.');
    if (transfer.amountUnits <= 0n) throw new InvalidPayment('amount_too_small', 'The transaction moves nothing.');
    if (transfer.feeLamports > BigInt(feeLamportsMax)) {
      throw new InvalidPayment(
        'fee_too_high',
        `The transaction may cost its fee payer ${transfer.feeLamports} lamports, more than ${feeLamportsMax}: lower its compute unit limit or price.`,
      );
    }
    if (!isEd25519Signature(addressBytes(transfer.authority), transfer.messageBytes, transfer.payerSignature)) {
      throw new InvalidPayment('invalid_signature', 'The signature is not the payer’s over exactly this transaction.');
    }
    return new VerifiedTransfer(transfer);
  }

  /** Whether a value is one of these. */
  static isVerified(value: object): value is VerifiedTransfer {
    return #isVerified in value;
  }
}

/** Deriving one takes a millisecond; there are as many as rails have had receivers. */
const receivingAccounts = new Map<string, string>();

function receivingAccount(receiver: string, mint: string, tokenProgram: string): string {
  const key = `${receiver}/${mint}/${tokenProgram}`;
  let account = receivingAccounts.get(key);
  if (account === undefined)
    receivingAccounts.set(key, (account = associatedTokenAccount(receiver, mint, tokenProgram)));
  return account;
}
