import type { LedgerKind } from '../../db/schema';
import { epochAt, isCurrentEpoch } from './epoch';
import type { Pots } from './pots';
import { DIEM } from './spending-order';

interface AllocationEntry {
  kind: Extract<LedgerKind, 'EXPIRY' | 'ALLOCATION'>;
  amount: number;
  balanceAfter: number;
  /** Epoch of the allocation. Its `epochName` becomes the `detail` of the ledger row. */
  epoch: number;
}

/**
 * Returns whether the daily balance belongs to another epoch, so that a new allocation may be fixed at `now` (spec,
 * "Authentication").
 */
export function isAllocationDue({ diemEpoch }: Pick<Pots, 'diemEpoch'>, now: number): boolean {
  return !isCurrentEpoch(diemEpoch, now);
}

/**
 * Sets the current epoch's allocation. The previous allocation expires, except for amounts that running calls hold.
 * Only those calls may spend these amounts, which expire with the next allocation.
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
