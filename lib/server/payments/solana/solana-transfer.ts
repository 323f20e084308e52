import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { readTransactionMessage } from './transaction-message';
import { readInstructions, type TransferTerms } from './transfer-instructions';

/** Maximum size of a transaction, which must fit into one packet. */
const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
/** Fee payer and payer (scheme_exact_svm, section 2.1.4). */
const SIGNERS = 2;
/** A signature count below 128 takes one byte. */
const MESSAGE_AT = 1 + SIGNERS * SIGNATURE_BYTES;

const schema = z.object({
  transaction: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64'),
});

export interface SolanaTransfer extends TransferTerms {
  /** Base64 transaction with the payer's signature; the fee payer's is zeros. */
  wire: string;
  messageBytes: Uint8Array;
  /** Hex SHA-256 of the message, which does not include the signatures. */
  messageHash: string;
  payerSignature: Uint8Array;
  recentBlockhash: string;
  feePayer: string;
}

/**
 * Parses a Solana payment: a canonical transaction that only moves a token once, in the scheme's layout for key wallets
 * (x402, scheme_exact_svm, section 3.1). The caller checks receiver, amount and the payer's signature.
 *
 * @throws InvalidPayment
 */
export function readSolanaTransfer(content: unknown): SolanaTransfer {
  const { transaction } = parse(schema, content, 'payload');
  const wire = Buffer.from(transaction, 'base64');
  if (wire.length > TRANSACTION_BYTES_MAX)
    throw invalid(
      'invalid_transaction',
      `The transaction has ${wire.length} bytes, more than the ${TRANSACTION_BYTES_MAX} that Solana accepts.`,
    );
  if (wire[0] !== SIGNERS)
    throw invalid('wrong_signers', 'The transaction must be signed by exactly two keys: the fee payer and the payer.');
  const messageBytes = Uint8Array.from(wire.subarray(MESSAGE_AT));
  const message = readTransactionMessage(messageBytes);
  const { staticAccounts, header } = message;
  const [feePayer, authority] = staticAccounts;
  if (!feePayer || !authority || header.numSignerAccounts !== SIGNERS || header.numReadonlySignerAccounts >= SIGNERS) {
    throw invalid('wrong_signers', 'The transaction must be signed by exactly two keys: the fee payer and the payer.');
  }
  if (new Set(staticAccounts).size !== staticAccounts.length)
    throw invalid('invalid_transaction', 'The transaction names an account twice.');
  const read = readInstructions(message);
  if (read.authority !== authority)
    throw invalid('wrong_authority', 'The payer, who signs after the fee payer, must be the one who moves the tokens.');
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

/** Returns the first signature and the message hash of a base64 transaction; null if invalid. */
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
