import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { COMPUTE_BUDGET_PROGRAM, LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, TOKEN_PROGRAMS } from './token-programs';
import { type CompiledInstruction, readTransactionMessage, type TransactionMessage } from './transaction-message';

/** Maximum size of a transaction. A transaction must fit into one packet. */
const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
const SIGNERS = 2;
/** Offset of the message. The count of signatures takes one byte if it is below 128. */
const MESSAGE_AT = 1 + SIGNERS * SIGNATURE_BYTES;

const schema = z.object({
  transaction: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64'),
});

export interface SolanaTransfer extends TransferTerms {
  /** Transaction in Base64 with the payer's signature. The fee payer's signature is all zeros. */
  wire: string;
  messageBytes: Uint8Array;
  /** SHA-256 of the message in hexadecimal. The message does not include the signatures. */
  messageHash: string;
  payerSignature: Uint8Array;
  recentBlockhash: string;
  feePayer: string;
}

/**
 * Parses a Solana payment. It must be a canonical transaction that makes only one token transfer, in the scheme's
 * layout for wallets that are not smart wallets (x402, scheme_exact_svm, section 3.1). The caller must check the
 * receiver, the amount and the payer's signature.
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
    throw invalid('invalid_transaction', 'The transaction lists an account twice.');
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
  // A transaction has no room for more than 127 signatures.
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

const INSTRUCTIONS_MIN = 3;
const INSTRUCTIONS_MAX = 7;
const FEE_PAYER_INDEX = 0;
const SIGNATURE_LAMPORTS = 5_000n;
const SIGNATURES = 2n;
const MICRO = 1_000_000n;

const SET_COMPUTE_UNIT_LIMIT = { discriminator: 2, bytes: 5 };
const SET_COMPUTE_UNIT_PRICE = { discriminator: 3, bytes: 9 };
const TRANSFER_CHECKED = { discriminator: 12, bytes: 10 };
const TRANSFER_CHECKED_ACCOUNTS = 4;

interface TransferTerms {
  authority: string;
  source: string;
  destination: string;
  sourceIndex: number;
  destinationIndex: number;
  tokenProgram: string;
  mint: string;
  decimals: number;
  amountUnits: bigint;
  /** Maximum lamports that the transaction can cost the fee payer. */
  feeLamports: bigint;
  /** Memos in the format that nodes report; null for none. */
  memo: string | null;
}

interface Instruction {
  program: string;
  accounts: readonly number[];
  data: Buffer;
}

/**
 * Parses a payment's instructions. They must be the compute unit limit and price, one TransferChecked, then only memos
 * and assertions that wallets add. No instruction may refer to the fee payer, so that the fee payer's signature only
 * pays the fee (scheme_exact_svm, section 2.1.1).
 *
 * @throws InvalidPayment
 */
function readInstructions(message: TransactionMessage): TransferTerms {
  const instructions = message.instructions.map((each) => instructionOf(each, message.staticAccounts));
  if (instructions.length < INSTRUCTIONS_MIN || instructions.length > INSTRUCTIONS_MAX) {
    throw new InvalidPayment(
      'unexpected_instruction',
      `The transaction has ${instructions.length} instructions; a payment has ${INSTRUCTIONS_MIN} to ${INSTRUCTIONS_MAX}.`,
    );
  }
  const [limit, price, transfer, ...others] = instructions as [Instruction, Instruction, Instruction, ...Instruction[]];
  const units = BigInt(budget(limit, SET_COMPUTE_UNIT_LIMIT, 'first', 'SetComputeUnitLimit').readUInt32LE(1));
  const microLamports = budget(price, SET_COMPUTE_UNIT_PRICE, 'second', 'SetComputeUnitPrice').readBigUInt64LE(1);
  if (others.some(({ program }) => program !== MEMO_PROGRAM && program !== LIGHTHOUSE_PROGRAM)) {
    throw new InvalidPayment(
      'unexpected_instruction',
      'After the transfer, the transaction may contain only memos and Lighthouse assertions.',
    );
  }
  return {
    ...transferOf(transfer, message.staticAccounts),
    feeLamports: SIGNATURES * SIGNATURE_LAMPORTS + (units * microLamports + MICRO - 1n) / MICRO,
    memo: memoOf(others),
  };
}

function instructionOf(
  { programAddressIndex, accountIndices, data }: CompiledInstruction,
  addresses: readonly string[],
): Instruction {
  const program = addresses[programAddressIndex];
  if (program === undefined || accountIndices.some((index) => index >= addresses.length))
    throw new InvalidPayment(
      'invalid_transaction',
      'An instruction refers to an account that the transaction does not list.',
    );
  if (programAddressIndex === FEE_PAYER_INDEX || accountIndices.includes(FEE_PAYER_INDEX)) {
    throw new InvalidPayment('fee_payer_used', 'No instruction may refer to the fee payer, which only pays the fee.');
  }
  return { program, accounts: accountIndices, data };
}

function budget(
  { program, accounts, data }: Instruction,
  kind: { discriminator: number; bytes: number },
  place: string,
  name: string,
): Buffer {
  if (
    program !== COMPUTE_BUDGET_PROGRAM ||
    accounts.length > 0 ||
    data.length !== kind.bytes ||
    data[0] !== kind.discriminator
  ) {
    throw new InvalidPayment('unexpected_instruction', `The ${place} instruction of the transaction must be ${name}.`);
  }
  return data;
}

function transferOf(
  { program, accounts, data }: Instruction,
  addresses: readonly string[],
): Omit<TransferTerms, 'feeLamports' | 'memo'> {
  const [sourceIndex = 0, mintIndex = 0, destinationIndex = 0, authorityIndex = 0] = accounts;
  const [source, mint, destination, authority] = [sourceIndex, mintIndex, destinationIndex, authorityIndex].map(
    (index) => addresses[index],
  );
  const isTransfer =
    TOKEN_PROGRAMS.includes(program) &&
    data.length === TRANSFER_CHECKED.bytes &&
    data[0] === TRANSFER_CHECKED.discriminator &&
    accounts.length === TRANSFER_CHECKED_ACCOUNTS;
  if (!isTransfer || !source || !mint || !destination || !authority) {
    throw new InvalidPayment(
      'no_transfer',
      'The third instruction of the transaction must be a TransferChecked of a token program, authorised by one key.',
    );
  }
  return {
    tokenProgram: program,
    source,
    mint,
    destination,
    authority,
    sourceIndex,
    destinationIndex,
    amountUnits: data.readBigUInt64LE(1),
    decimals: data.readUInt8(9),
  };
}

/** Formats memos in the same way as Solana nodes (Agave): joined, each with its length. */
function memoOf(instructions: readonly Instruction[]): string | null {
  const memos = instructions
    .filter(({ program }) => program === MEMO_PROGRAM)
    .map(({ data }) => `[${data.length}] ${data.toString('utf8')}`);
  return memos.length > 0 ? memos.join('; ') : null;
}
