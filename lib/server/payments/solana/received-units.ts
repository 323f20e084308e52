import type { TokenBalance, TransactionMeta } from './solana-node';
import type { SolanaTransfer } from './solana-transfer';

/**
 * What the receiver's token account gained in a transaction, by its balances before and after, in base units. A mint
 * of Token-2022 may keep a fee of what was sent, never add to it.
 * @returns null where the balances do not fit the transfer that the message orders: then the node is wrong, and no
 * amount of its is right
 */
export function receivedUnits(meta: TransactionMeta, transfer: SolanaTransfer, receiver: string): bigint | null {
  const gained = change(meta, transfer, transfer.destinationIndex, receiver);
  const sent = change(meta, transfer, transfer.sourceIndex, null);
  if (gained === null || sent === null || sent !== -transfer.amountUnits) return null;
  return gained > 0n && gained <= transfer.amountUnits ? gained : null;
}

/** By how much the balance of one of the message's accounts changed; null where that is not said, or not plainly. */
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
