import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { readTransactionMessage } from './transaction-message';
import { readInstructions, type TransferTerms } from './transfer-instructions';

/** A transaction fits into one packet. */
const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
/** Who pays the fee and who pays: nobody else signs (scheme_exact_svm, section 2.1.4). */
const SIGNERS = 2;
/** One byte says how many signatures follow, as long as they are fewer than 128. */
const MESSAGE_AT = 1 + SIGNERS * SIGNATURE_BYTES;

/** Of 1,232 bytes at most, in base64. */
const schema = z.object({
  transaction: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64'),
});

/** What a Solana payment's transaction says of itself, read to the last byte. */
export interface SolanaTransfer extends TransferTerms {
  /** In base64, with the payer's signature; where that of the fee payer belongs there are zeros. */
  wire: string;
  messageBytes: Uint8Array;
  /** SHA-256 of the message, in hex: the signatures that may be on it change nothing of it. */
  messageHash: string;
  payerSignature: Uint8Array;
  recentBlockhash: string;
  feePayer: string;
}

/**
 * Reads what a Solana payment carries: a transaction that does nothing but move a token once, in the layout that the
 * scheme gives it for wallets that are keys (x402, scheme_exact_svm, section 3.1), in its one canonical encoding.
 * To whom and how much is for the caller to judge, as is the payer's signature.
 * @throws InvalidPayment
 */
export function readSolanaTransfer(content: unknown): SolanaTransfer {
  const { transaction } = parse(schema, content, 'payload');
  const wire = Buffer.from(transaction, 'base64');
  if (wire.length > TRANSACTION_BYTES_MAX)
    throw invalid(
      'invalid_transaction',
      `The transaction has ${wire.length} bytes, more than the ${TRANSACTION_BYTES_MAX} that Solana takes.`,
    );
  if (wire[0] !== SIGNERS)
    throw invalid('wrong_signers', 'The transaction must be signed by two: the fee payer and the payer.');
  const messageBytes = Uint8Array.from(wire.subarray(MESSAGE_AT));
  const message = readTransactionMessage(messageBytes);
  const { staticAccounts, header } = message;
  const [feePayer, authority] = staticAccounts;
  if (!feePayer || !authority || header.numSignerAccounts !== SIGNERS || header.numReadonlySignerAccounts >= SIGNERS) {
    throw invalid('wrong_signers', 'The transaction must be signed by two: the fee payer and the payer.');
  }
  if (new Set(staticAccounts).size !== staticAccounts.length)
    throw invalid('invalid_transaction', 'The transaction names an account twice.');
  const read = readInstructions(message);
  if (read.authority !== authority)
    throw invalid('wrong_authority', 'The tokens must be moved by the payer, who signs beside the fee payer.');
  wire.fill(0, 1, 1 + SIGNATURE_BYTES);
  return {
    ...read,
    wire: wire.toString('base64'),
    messageBytes,
    messageHash: hashOf(messageBytes),
    payerSignature: Uint8Array.from(wire.subarray(1 + SIGNATURE_BYTES, MESSAGE_AT)),
    recentBlockhash: message.lifetimeToken,
    feePayer,
    authority,
  };
}

/** Who signed first and what, of a transaction in base64 that a node tells; null where that is none. */
export function identifyTransaction(wire: string): { signature: string; messageHash: string } | null {
  const bytes = Buffer.from(wire, 'base64');
  const signatures = bytes[0] ?? 0;
  const messageAt = 1 + signatures * SIGNATURE_BYTES;
  // More than 127 signatures do not fit into a transaction.
  if (signatures === 0 || signatures > 127 || bytes.length <= messageAt) return null;
  return {
    signature: base58.encode(bytes.subarray(1, 1 + SIGNATURE_BYTES)),
    messageHash: hashOf(bytes.subarray(messageAt)),
  };
}

function hashOf(messageBytes: Uint8Array): string {
  return createHash('sha256').update(messageBytes).digest('hex');
}

function invalid(reason: string, message: string): InvalidPayment {
  return new InvalidPayment(reason, message);
}
