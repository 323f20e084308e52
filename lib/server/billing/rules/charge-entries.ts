import { POTS, type Pot } from '../../db/schema';
import type { Charge } from '../meter';
import type { PotAmounts } from './spending-order';

export interface ChargeEntry {
  pot: Pot;
  place: number;
  /** Charged amount, positive. */
  amount: number;
  units: number;
}

/**
 * Returns a charge's ledger rows: one per balance, in spending order; none for a charge of zero. The first row has the
 * units.
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
