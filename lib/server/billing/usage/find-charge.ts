import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../db/schema';
import { daysOf } from './days-of';
import { type ChargedCall, type ChargeFilter, listCharges } from './list-charges';

/**
 * The charge of a request, null where the period has none of it. No index leads to it, since each charge would pay for
 * one: a day is one statement, the newest first, and others have their turn between two.
 */
export async function findCharge(
  db: Database,
  filter: ChargeFilter & { requestId: string },
): Promise<ChargedCall | null> {
  for (const day of daysOf(filter)) {
    const [charge] = (await listCharges(db, day, { limit: 1, skip: 0, after: null })).charges;
    if (charge) return charge;
    await turn();
  }
  return null;
}
