import type { LedgerKind } from '../../db/schema';
import { epochAt, isCurrentEpoch } from './epoch';
import type { Pots } from './pots';
import { DIEM } from './spending-order';

interface AllocationEntry {
  kind: Extract<LedgerKind, 'EXPIRY' | 'ALLOCATION'>;
  amount: number;
  balanceAfter: number;
  /** Epoch of the allocation. The ledger row's `detail` is the epoch's name. */
  epoch: number;
}

/**
 * Returns whether the daily balance belongs to another epoch, so that an allocation may be fixed at `now` (spec,
 * "Authentication").
 */
export function isAllocationDue({ diemEpoch }: Pick<Pots, 'diemEpoch'>, now: number): boolean {
  return !isCurrentEpoch(diemEpoch, now);
}

/**
 * Fixes the current epoch's allocation. The remainder of the previous one expires, except what running calls hold. Only
 * those calls may spend the held part, and what they release expires with the next epoch.
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
