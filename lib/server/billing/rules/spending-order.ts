import type { Purse } from '../../auth/caller';
import { type Pot, POTS } from '../../db/schema';
import type { Charge } from '../meter';

/**
 * Balances that each kind of credential (purse) spends, in order. Keys spend "daily-credit token allocation first, then
 * bundled credits, then USD" (spec, "Authentication"), and last the wallet's prepaid balance if the owner allows it.
 * Sign-ins spend the wallet's prepaid balance (spec, "x402 billing").
 */
export const SPENDING_ORDER: Readonly<Record<Purse, readonly Pot[]>> = {
  account: ['diem', 'bundled', 'usd'],
  x402: ['x402'],
  all: ['diem', 'bundled', 'usd', 'x402'],
};

/** Nano-USD by balance, in the order of `POTS`. Immutable. */
export type PotAmounts = readonly [diem: number, bundled: number, usd: number, x402: number];

export const NO_AMOUNTS: PotAmounts = [0, 0, 0, 0];

export const DIEM = POTS.indexOf('diem') as 0;

const PLACES: Readonly<Record<Purse, readonly number[]>> = {
  account: SPENDING_ORDER.account.map(placeOf),
  x402: SPENDING_ORDER.x402.map(placeOf),
  all: SPENDING_ORDER.all.map(placeOf),
};

/** Splits an amount over a purse's balances in spending order. Returns null if the balances are too low. */
export function spread(amountNanoUsd: number, purse: Purse, available: PotAmounts): PotAmounts | null {
  const parts: [number, number, number, number] = [0, 0, 0, 0];
  let rest = amountNanoUsd;
  for (const place of PLACES[purse]) {
    const part = Math.min(rest, available[place] as number);
    parts[place] = part;
    rest -= part;
  }
  return rest === 0 ? parts : null;
}

export function sumOf(purse: Purse, amounts: PotAmounts): number {
  let sum = 0;
  for (const place of PLACES[purse]) sum += amounts[place] as number;
  return sum;
}

export function plus(amounts: PotAmounts, others: PotAmounts, factor: 1 | -1 = 1): PotAmounts {
  return [
    amounts[0] + factor * others[0],
    amounts[1] + factor * others[1],
    amounts[2] + factor * others[2],
    amounts[3] + factor * others[3],
  ];
}

function placeOf(pot: Pot): number {
  return POTS.indexOf(pot);
}

export interface ChargeEntry {
  pot: Pot;
  place: number;
  /** Positive. */
  amount: number;
  units: number;
}

/**
 * Returns a charge's ledger rows in spending order: one for each balance that pays, none for a charge of zero. `units`
 * is 0 in all rows but the first.
 */
export function chargeEntries(
  charged: PotAmounts,
  { units, credits }: Pick<Charge, 'units' | 'credits'>,
): ChargeEntry[] {
  const entries: ChargeEntry[] = [];
  for (let place = 0; place < charged.length; place++) {
    const amount = charged[place] as number;
    if (amount > 0)
      entries.push({ pot: POTS[place] as Pot, place, amount, units: entries.length === 0 ? (units ?? credits) : 0 });
  }
  return entries;
}
