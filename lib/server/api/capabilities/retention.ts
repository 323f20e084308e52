import { startForgetting } from '../../billing/forget-expired';
import { startArchiving } from '../../billing/retention/ledger-archiver';
import type { Database } from '../../db/schema';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Deletes and archives old rows. */
export function openRetention({ config: { retention }, log, now }: Ground, { db }: { db: Database }): Capability {
  const stopForgetting = startForgetting(db, log, { receiptDays: retention.receipts.days });
  const stopArchiving = startArchiving({
    db,
    ledgerDays: retention.ledgerDays,
    folder: retention.archiveDir,
    now,
    log,
  });
  return {
    close: () => {
      stopForgetting();
      return stopArchiving();
    },
  };
}
