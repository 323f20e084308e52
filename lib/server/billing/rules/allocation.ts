import type { LedgerKind } from '../../db/schema';
import { epochAt, isCurrentEpoch } from './epoch';
import type { Pots } from './pots';
import { DIEM } from './spending-order';

/** What fixing an allocation writes into the ledger, of the daily pot. */
export interface AllocationEntry {
  kind: Extract<LedgerKind, 'EXPIRY' | 'ALLOCATION'>;
  /** By how much the balance changes. */
  amount: number;
  balanceAfter: number;
  /** The epoch that it is about: its name is the row's detail. */
  epoch: number;
}

/**
 * Whether an account may have an allocation fixed at `now`: where its daily pot is not of the epoch that runs. What it
 * amounts to is `dailyAmount` of the stake (spec, "Authentication"); what is fixed stays until 00:00 UTC, and each epoch
 * of an account is fixed at most once, which the store's record of allocations says.
 */
export function isAllocationDue({ diemEpoch }: Pick<Pots, 'diemEpoch'>, now: number): boolean {
  return !isCurrentEpoch(diemEpoch, now);
}

/**
 * Fixes the allocation of the epoch that runs at `now`. What is left of the epoch before expires, but for what running
 * calls still hold of it: that is carried, out of reach of anybody else, until they are charged, and what they free of
 * it expires with the next.
 */
export function fixAllocation(
  { balances, held, diemEpoch, heldCarried }: Pots,
  amountNanoUsd: number,
  now: number,
): { pots: Pots; entries: AllocationEntry[] } {
  const epoch = epochAt(now);
  const carried = held[DIEM] + heldCarried;
  const left = balances[DIEM] - carried;
  const total = carried + amountNanoUsd;
  const entries: AllocationEntry[] =
    left > 0 ? [{ kind: 'EXPIRY', amount: -left, balanceAfter: carried, epoch: diemEpoch }] : [];
  entries.push({ kind: 'ALLOCATION', amount: amountNanoUsd, balanceAfter: total, epoch });
  const pots: Pots = {
    balances: [total, balances[1], balances[2], balances[3]],
    held: [0, held[1], held[2], held[3]],
    diemEpoch: epoch,
    diemCarried: carried,
    heldCarried: carried,
  };
  return { pots, entries };
}
