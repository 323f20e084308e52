import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { paymentDraftWords as words } from './payment-words';

/** Effect of a Solana payment, parsed from the exact bytes that the wallet signs. */
export interface SolanaTransfer {
  feePayer: string;
  blockhash: string;
  mint: string;
  amount: bigint;
  authority: string;
  source: string;
  destination: string;
  instructions: readonly string[];
}

const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const;
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TRANSFER_CHECKED = 12;
const TRANSFER_LENGTH = 10;

/**
 * Parses a token transfer from a transaction in wire format.
 * @throws Error unless the transaction has exactly one transfer; compute-budget and memo instructions are allowed
 */
export function readSolanaTransfer(wire: Uint8Array): SolanaTransfer {
  const { message } = VersionedTransaction.deserialize(wire);
  const keys = message.staticAccountKeys.map((key) => key.toBase58());
  let transfer: Omit<SolanaTransfer, 'feePayer' | 'blockhash' | 'instructions'> | null = null;
  const instructions: string[] = [];
  for (const { programIdIndex, accountKeyIndexes, data } of message.compiledInstructions) {
    const program = keys[programIdIndex] ?? '';
    const accounts = accountKeyIndexes.map((index) => keys[index] ?? words.tableAccount);
    if (program === COMPUTE_BUDGET) instructions.push(computeBudgetLine(data));
    else if (program === MEMO) instructions.push(words.memo(new TextDecoder().decode(data)));
    else {
      if (
        transfer !== null ||
        !TOKEN_PROGRAMS.includes(program as (typeof TOKEN_PROGRAMS)[number]) ||
        data[0] !== TRANSFER_CHECKED ||
        data.length !== TRANSFER_LENGTH
      ) {
        throw new Error(words.doesMore);
      }
      const [source = '', mint = '', destination = '', authority = ''] = accounts;
      transfer = {
        source,
        mint,
        destination,
        authority,
        amount: new DataView(data.buffer, data.byteOffset).getBigUint64(1, true),
      };
      instructions.push(words.transfer(transfer.amount, data[9]));
    }
  }
  if (transfer === null) throw new Error(words.movesNothing);
  return { ...transfer, feePayer: keys[0] ?? '', blockhash: message.recentBlockhash, instructions };
}

/** Returns whether an address is an owner's associated token account under either token program. */
export function isAssociatedAccount(address: string, { owner, mint }: { owner: string; mint: string }): boolean {
  return TOKEN_PROGRAMS.some((program) => {
    const seeds = [owner, program, mint].map((key) => new PublicKey(key).toBytes());
    return PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN_PROGRAM))[0].toBase58() === address;
  });
}

function computeBudgetLine(data: Uint8Array): string {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data[0] === 2 && data.length >= 5) return words.computeUnits(view.getUint32(1, true));
  if (data[0] === 3 && data.length >= 9) return words.computePrice(view.getBigUint64(1, true));
  return words.computeBudget;
}
