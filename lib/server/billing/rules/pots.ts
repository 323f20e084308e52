import type { Purse } from '../../auth/caller';
import { isCurrentEpoch } from './epoch';
import { DIEM, NO_AMOUNTS, plus, type PotAmounts, spread, sumOf } from './spending-order';

/** Balances of an account and the holds of its running calls. Immutable. */
export interface Pots {
  /** Balances after settled charges, without subtracting holds. */
  readonly balances: PotAmounts;
  /** Amounts held for running calls. For the daily balance, only holds of the current epoch. */
  readonly held: PotAmounts;
  readonly diemEpoch: number;
  /**
   * Part of the daily balance that calls of earlier epochs hold, minus their charges. Only these calls may spend it.
   */
  readonly diemCarried: number;
  /** Part of `diemCarried` whose calls still run. */
  readonly heldCarried: number;
}

export interface Hold {
  readonly purse: Purse;
  readonly amounts: PotAmounts;
  readonly diemEpoch: number;
}

export const EMPTY_POTS: Pots = {
  balances: NO_AMOUNTS,
  held: NO_AMOUNTS,
  diemEpoch: 0,
  diemCarried: 0,
  heldCarried: 0,
};

/** Returns the daily balance at `now`, including held amounts; 0 if its epoch is over (spec, "Authentication"). */
function dailyPot({ balances, diemEpoch, diemCarried }: Pots, now: number): number {
  return isCurrentEpoch(diemEpoch, now) ? balances[DIEM] - diemCarried : 0;
}

/** Returns the sum of the balances of `purse` at `now` in nano-USD, including held amounts. */
export function purseTotal(pots: Pots, purse: Purse, now: number): number {
  return sumOf(purse, [dailyPot(pots, now), pots.balances[1], pots.balances[2], pots.balances[3]]);
}

/** Returns how much of `purse` is not held at `now`, in nano-USD. */
export function spendable(pots: Pots, purse: Purse, now: number): number {
  return sumOf(purse, freeOf(pots, now));
}

/** Plans a hold over the balances of `purse` in spending order. Returns null if the balances are too low. */
export function planHold(pots: Pots, purse: Purse, maxNanoUsd: number, now: number): Hold | null {
  const amounts = spread(maxNanoUsd, purse, freeOf(pots, now));
  return amounts && { purse, amounts, diemEpoch: pots.diemEpoch };
}

export function withHold(pots: Pots, { amounts }: Hold): Pots {
  return {
    balances: pots.balances,
    held: plus(pots.held, amounts),
    diemEpoch: pots.diemEpoch,
    diemCarried: pots.diemCarried,
    heldCarried: pots.heldCarried,
  };
}

/**
 * Releases a hold. If its daily part is from an earlier epoch, that part only lowers `heldCarried`, because the money
 * has expired.
 */
export function withoutHold(pots: Pots, { amounts, diemEpoch }: Hold): Pots {
  const [diem, bundled, usd, x402] = plus(pots.held, amounts, -1);
  const isCarried = diemEpoch !== pots.diemEpoch;
  return {
    balances: pots.balances,
    held: [isCarried ? pots.held[DIEM] : diem, bundled, usd, x402],
    diemEpoch: pots.diemEpoch,
    diemCarried: pots.diemCarried,
    heldCarried: isCarried ? pots.heldCarried - amounts[DIEM] : pots.heldCarried,
  };
}

export function clampToHold({ purse, amounts }: Hold, amountNanoUsd: number): number {
  return Math.min(amountNanoUsd, sumOf(purse, amounts));
}

/**
 * Splits a charge over the held balances, in spending order.
 * @throws Error if the charge exceeds the hold
 */
export function chargedTo({ purse, amounts }: Hold, amountNanoUsd: number): PotAmounts {
  const parts = spread(amountNanoUsd, purse, amounts);
  if (!parts) throw new Error('A charge cannot exceed what was reserved for it.');
  return parts;
}

/** Returns the balances minus a charge. The hold is released separately. */
export function withCharge(pots: Pots, hold: Hold, charged: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, charged, -1), pots.diemCarried - takenOfCarried(pots, hold, charged));
}

/** Undoes a charge that could not be written. */
export function withoutCharge(pots: Pots, hold: Hold, charged: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, charged), pots.diemCarried + takenOfCarried(pots, hold, charged));
}

export function withCredit(pots: Pots, credited: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, credited), pots.diemCarried);
}

export function takenOfCarried(pots: Pots, { diemEpoch }: Hold, charged: PotAmounts): number {
  return diemEpoch === pots.diemEpoch ? 0 : charged[DIEM];
}

function withBalances({ held, diemEpoch, heldCarried }: Pots, balances: PotAmounts, diemCarried: number): Pots {
  return { balances, held, diemEpoch, diemCarried, heldCarried };
}

function freeOf(pots: Pots, now: number): PotAmounts {
  const { balances, held } = pots;
  // The daily part could be negative, because holds of an expired epoch stay until the next allocation is fixed.
  return [
    Math.max(0, dailyPot(pots, now) - held[DIEM]),
    balances[1] - held[1],
    balances[2] - held[2],
    balances[3] - held[3],
  ];
}
