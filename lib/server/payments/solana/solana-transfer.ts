import { createHash } from 'node:crypto';
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder, type Transaction } from '@solana/kit';
import { z } from 'zod';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';

const TOKEN_PROGRAMS: readonly string[] = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'];
const TRANSFER_CHECKED = 12;
/** Discriminator, amount and decimals. */
const TRANSFER_CHECKED_BYTES = 10;
const TRANSFER_CHECKED_ACCOUNTS = 4;

/** Of 1,232 bytes at most, in base64. */
const schema = z.object({ transaction: z.string().min(1).max(2_000).regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be base64') });

/** What a Solana payment's transaction says of itself. */
export interface SolanaTransfer {
  /** As it came, in base64: signed by the payer, not yet by who pays the fee. */
  wire: string;
  /** SHA-256 of the message, in hex: the signatures that may be on it change nothing of it. */
  messageHash: string;
  feePayer: string;
  /** Whose tokens move, and from which token account. */
  authority: string;
  source: string;
  mint: string;
  amountUnits: bigint;
}

/**
 * Reads what a Solana payment carries: a transaction that moves a token. What else it does, the scheme judges.
 * @throws InvalidPayment
 */
export function readSolanaTransfer(content: unknown): SolanaTransfer {
  const { transaction: wire } = parse(schema, content, 'payload');
  let transfer: Omit<SolanaTransfer, 'wire'> | null;
  try {
    transfer = transferIn(getTransactionDecoder().decode(getBase64Encoder().encode(wire)));
  } catch {
    throw new InvalidPayment('invalid_transaction', 'The payment holds no Solana transaction that can be decoded.');
  }
  if (!transfer) throw new InvalidPayment('no_transfer', 'The transaction has no TransferChecked instruction of a token program.');
  return { wire, ...transfer };
}

function transferIn({ messageBytes }: Pick<Transaction, 'messageBytes'>): Omit<SolanaTransfer, 'wire'> | null {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message)) return null;
  const { staticAccounts, instructions } = message;
  for (const { programAddressIndex, accountIndices = [], data } of instructions) {
    if (!TOKEN_PROGRAMS.includes(staticAccounts[programAddressIndex] ?? '')) continue;
    if (!data || data.length < TRANSFER_CHECKED_BYTES || data[0] !== TRANSFER_CHECKED || accountIndices.length < TRANSFER_CHECKED_ACCOUNTS) continue;
    const [source, mint, , authority] = accountIndices.map((index) => staticAccounts[index]);
    const [feePayer] = staticAccounts;
    if (!source || !mint || !authority || !feePayer) return null;
    const amountUnits = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true);
    return { messageHash: hashOf(messageBytes), feePayer, authority, source, mint, amountUnits };
  }
  return null;
}

/** The hash of the message of a transaction in base64; null where that is none. */
export function messageHashOf(wire: string): string | null {
  try {
    return hashOf(getTransactionDecoder().decode(getBase64Encoder().encode(wire)).messageBytes);
  } catch {
    return null;
  }
}

function hashOf(messageBytes: ArrayLike<number>): string {
  return createHash('sha256').update(Uint8Array.from(messageBytes)).digest('hex');
}
