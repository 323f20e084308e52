import { POTS, type Pot } from '../../db/schema';
import type { Charge } from '../meter';
import type { PotAmounts } from './spending-order';

/** What a charge writes into the ledger of one pot. */
export interface ChargeEntry {
  pot: Pot;
  /** The place of the pot in `POTS`. */
  place: number;
  /** Taken off its balance: more than nothing. */
  amount: number;
  units: number;
}

/**
 * A charge has a row of the ledger for each pot that it is taken of, in the order in which they are spent; one of nothing
 * has none. What was bought is counted once, in the first of them.
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
