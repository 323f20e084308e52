import { fillChargeSums } from '@/lib/server/db/migrations/0014-charge-sums';
import type { Database } from '@/lib/server/db/schema';

/** Recomputes the sums of the ledger, after a test has inserted charges without a meter. */
export async function refillSums(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of ['charge_days', 'ledger_days'] as const) await transaction.deleteFrom(table).execute();
    await fillChargeSums(transaction);
  });
}
