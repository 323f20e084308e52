import type { Purse } from '../../auth/caller';
import { isCurrentEpoch } from './epoch';
import { DIEM, NO_AMOUNTS, plus, type PotAmounts, spread, sumOf } from './spending-order';

/** What an account has and what its running calls hold of it. A value: each function below gives another one. */
export interface Pots {
  /** Every settled charge is taken off; what running calls hold is not. */
  readonly balances: PotAmounts;
  /** Held by running calls; of the daily pot by those of its own epoch only. */
  readonly held: PotAmounts;
  /** The epoch that the daily pot is of. */
  readonly diemEpoch: number;
  /** What of the daily balance calls of earlier epochs held when this one was fixed, less what they were charged: nobody else's. */
  readonly diemCarried: number;
  /** What those of them hold that still run. */
  readonly heldCarried: number;
}

/** What a reservation holds: the most that its call can cost, of each pot. */
export interface Hold {
  readonly purse: Purse;
  readonly amounts: PotAmounts;
  /** The epoch of the daily pot that it holds of. */
  readonly diemEpoch: number;
}

/** Nothing, of an epoch long past. */
export const EMPTY_POTS: Pots = {
  balances: NO_AMOUNTS,
  held: NO_AMOUNTS,
  diemEpoch: 0,
  diemCarried: 0,
  heldCarried: 0,
};

/** The daily pot at `now`, what running calls hold of it included; nothing where its epoch is over (spec, "Authentication"). */
export function dailyPot({ balances, diemEpoch, diemCarried }: Pots, now: number): number {
  return isCurrentEpoch(diemEpoch, now) ? balances[DIEM] - diemCarried : 0;
}

/** What a purse has at `now`, in nano-USD, what running calls hold included: what a caller is told after a charge. */
export function purseTotal(pots: Pots, purse: Purse, now: number): number {
  return sumOf(purse, [dailyPot(pots, now), pots.balances[1], pots.balances[2], pots.balances[3]]);
}

/** What a purse could still hold at `now`: what a caller is told on admission, and whether it can pay at all. */
export function spendable(pots: Pots, purse: Purse, now: number): number {
  return sumOf(purse, freeOf(pots, now));
}

/**
 * What a call that can cost so much would hold: of the pots of its purse in their order, and less of none than the whole
 * can be charged to. Null where they have too little. Nothing is held by this: see {@link withHold}.
 */
export function planHold(pots: Pots, purse: Purse, maxNanoUsd: number, now: number): Hold | null {
  const amounts = spread(maxNanoUsd, purse, freeOf(pots, now));
  return amounts && { purse, amounts, diemEpoch: pots.diemEpoch };
}

/** The pots with a hold taken on. */
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
 * The pots with a hold freed, all of it. What was held of the daily pot of an earlier epoch is carried apart from the
 * one that runs, and goes to nobody.
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

/** A charge can be no more than what was held for it: what is due of an amount that was only noted. */
export function clampToHold({ purse, amounts }: Hold, amountNanoUsd: number): number {
  return Math.min(amountNanoUsd, sumOf(purse, amounts));
}

/**
 * Of which pots a charge is taken: of what was held, first pots first, so that the later ones are freed where a call
 * costs less than it could.
 * @throws Error for more than was held.
 */
export function chargedTo({ purse, amounts }: Hold, amountNanoUsd: number): PotAmounts {
  const parts = spread(amountNanoUsd, purse, amounts);
  if (!parts) throw new Error('A charge cannot exceed what was reserved for it.');
  return parts;
}

/** The pots with a charge taken off. Its hold is freed apart from this. */
export function withCharge(pots: Pots, hold: Hold, charged: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, charged, -1), pots.diemCarried - takenOfCarried(pots, hold, charged));
}

/** The pots with a charge given back that could not be written. */
export function withoutCharge(pots: Pots, hold: Hold, charged: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, charged), pots.diemCarried + takenOfCarried(pots, hold, charged));
}

/** The pots with money put in, or paid back. */
export function withCredit(pots: Pots, credited: PotAmounts): Pots {
  return withBalances(pots, plus(pots.balances, credited), pots.diemCarried);
}

/** What of a charge comes out of what is carried: what is taken of the daily pot of an earlier epoch. */
export function takenOfCarried(pots: Pots, { diemEpoch }: Hold, charged: PotAmounts): number {
  return diemEpoch === pots.diemEpoch ? 0 : charged[DIEM];
}

function withBalances({ held, diemEpoch, heldCarried }: Pots, balances: PotAmounts, diemCarried: number): Pots {
  return { balances, held, diemEpoch, diemCarried, heldCarried };
}

function freeOf(pots: Pots, now: number): PotAmounts {
  const { balances, held } = pots;
  // The hold of an epoch that is over stays on its pot until the next is fixed.
  return [
    Math.max(0, dailyPot(pots, now) - held[DIEM]),
    balances[1] - held[1],
    balances[2] - held[2],
    balances[3] - held[3],
  ];
}
