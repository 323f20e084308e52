import type { TokenBalance, TransactionMeta } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/**
 * Returns how many base units the receiver's token account gained in a transaction, according to the balances that the
 * node reports. A Token-2022 mint may deduct a fee, but cannot add units.
 *
 * @returns null if the balances contradict the message's transfer; the node is then wrong
 */
export function receivedUnits(meta: TransactionMeta, transfer: SolanaTransfer, receiver: string): bigint | null {
  const gained = change(meta, transfer, transfer.destinationIndex, receiver);
  const sent = change(meta, transfer, transfer.sourceIndex, null);
  if (gained === null || sent === null || sent !== -transfer.amountUnits) return null;
  return gained > 0n && gained <= transfer.amountUnits ? gained : null;
}

function change(
  { preTokenBalances, postTokenBalances }: TransactionMeta,
  transfer: SolanaTransfer,
  accountIndex: number,
  owner: string | null,
): bigint | null {
  const before = balance(preTokenBalances, transfer, accountIndex, owner);
  const after = balance(postTokenBalances, transfer, accountIndex, owner);
  return before === null || after === null ? null : after - before;
}

function balance(
  balances: readonly TokenBalance[] | null | undefined,
  { mint, decimals, tokenProgram }: SolanaTransfer,
  accountIndex: number,
  owner: string | null,
): bigint | null {
  const [only, ...others] = (balances ?? []).filter((each) => each.accountIndex === accountIndex);
  if (!only || others.length > 0) return null;
  const fits =
    only.mint === mint &&
    only.programId === tokenProgram &&
    only.uiTokenAmount.decimals === decimals &&
    (owner === null || only.owner === owner);
  return fits ? BigInt(only.uiTokenAmount.amount) : null;
}
