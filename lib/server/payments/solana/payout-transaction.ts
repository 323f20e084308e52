import { createHash } from 'node:crypto';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { isEd25519Signature } from '../../auth/solana-signature';
import type { LatestBlockhash } from './solana-node';
import { addressBytes, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from './token-programs';
import { readTransactionMessage } from './transaction-message';

const UNITS = 80_000;
const PRICE_MAX = 100_000n;
const SIGNATURE_LAMPORTS = 5_000;
const MICRO = 1_000_000;
const MEMO_LENGTH = 32;
const MESSAGE_AT = 1 + 64;

export interface PayoutTransfer {
  source: string;
  destination: string;
  mint: string;
  decimals: number;
  tokenProgram: string;
  units: bigint;
  memo: string;
}

/** Signed payout. It must be recorded before it is sent. */
export interface PayoutTransaction {
  /** Base64. */
  wire: string;
  signature: string;
  blockhash: string;
  lastValidBlockHeight: number;
  source: string;
  destination: string;
}

export async function signPayout(
  payer: KeyPairSigner,
  transfer: PayoutTransfer,
  { blockhash, lastValidBlockHeight }: LatestBlockhash,
  feeLamportsMax: number,
): Promise<PayoutTransaction> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) },
        paid,
      ),
    (timely) =>
      appendTransactionMessageInstructions(
        [unitLimit(), unitPrice(feeLamportsMax), transferChecked(payer.address, transfer), memo(transfer.memo)],
        timely,
      ),
  );
  const signed = await signTransactionMessageWithSigners(message);
  return {
    wire: getBase64EncodedWireTransaction(signed),
    signature: getSignatureFromTransaction(signed),
    blockhash,
    lastValidBlockHeight,
    source: transfer.source,
    destination: transfer.destination,
  };
}

function unitLimit(): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(UNITS, 1);
  return { programAddress: address(COMPUTE_BUDGET_PROGRAM), data };
}

function unitPrice(feeLamportsMax: number): Instruction {
  const affordable = BigInt(Math.max(0, feeLamportsMax - SIGNATURE_LAMPORTS) * MICRO) / BigInt(UNITS);
  const data = Buffer.alloc(9);
  data.writeUInt8(3);
  data.writeBigUInt64LE(affordable < PRICE_MAX ? affordable : PRICE_MAX, 1);
  return { programAddress: address(COMPUTE_BUDGET_PROGRAM), data };
}

function transferChecked(
  authority: string,
  { source, mint, destination, tokenProgram, units, decimals }: PayoutTransfer,
): Instruction {
  const data = Buffer.alloc(10);
  data.writeUInt8(12);
  data.writeBigUInt64LE(units, 1);
  data.writeUInt8(decimals, 9);
  return {
    programAddress: address(tokenProgram),
    accounts: [
      { address: address(source), role: AccountRole.WRITABLE },
      { address: address(mint), role: AccountRole.READONLY },
      { address: address(destination), role: AccountRole.WRITABLE },
      { address: address(authority), role: AccountRole.READONLY_SIGNER },
    ],
    data,
  };
}

function memo(text: string): Instruction {
  return { programAddress: address(MEMO_PROGRAM), data: Buffer.from(text) };
}

/**
 * Returns the memo of all transactions of a withdrawal. It identifies them even if a restored database lacks them, and
 * distinguishes withdrawals of the same amount.
 */
export function payoutMemo(identity: string): string {
  return createHash('sha256').update(identity).digest('hex').slice(0, MEMO_LENGTH);
}

/** Returns whether a transaction (Base64) has this memo and is signed only by the payer of `known`. */
export function isPayoutOf(wire: string, known: string, text: string): boolean {
  const bytes = bytesOf(wire);
  const messageBytes = bytes.subarray(MESSAGE_AT);
  const [payer = ''] = readTransactionMessage(bytesOf(known).subarray(MESSAGE_AT)).staticAccounts;
  if (bytes[0] !== 1 || !isEd25519Signature(addressBytes(payer), messageBytes, bytes.subarray(1, MESSAGE_AT)))
    return false;
  try {
    const { staticAccounts, instructions } = readTransactionMessage(messageBytes);
    return instructions.some(
      ({ programAddressIndex, data }) =>
        staticAccounts[programAddressIndex] === MEMO_PROGRAM && data.toString() === text,
    );
  } catch {
    // The operator may send unparsable transactions with this key.
    return false;
  }
}

function bytesOf(wire: string): Uint8Array {
  return Uint8Array.from(Buffer.from(wire, 'base64'));
}
