import { startForgetting } from '../../billing/forget-expired';
import { meterLimits, openMeteredStore } from '../../billing/open-metered-store';
import { startArchivingThread } from '../../billing/retention/archiving-thread';
import { startArchiving } from '../../billing/retention/ledger-archiver';
import { measureStore } from '../../billing/store-metrics';
import type { Database } from '../../db/schema';
import { StoreProbe } from '../../db/store-status';
import { health } from '../health';
import type { Capability, Ground } from './capability';

/** Opens database and meter. @param checkpointThread see `openSqlite` */
export async function openStore({ config, log, metrics, now }: Ground, checkpointThread?: boolean) {
  const { db, meter, status, pools, close } = await openMeteredStore(config, log, checkpointThread);
  measureStore(metrics, { db, pools, now });
  const probe = new StoreProbe(async () => {
    if ((await status.check()) === 'away') throw new Error('The database does not answer.');
  }, config.readiness.storeTimeoutMs);
  return {
    db,
    meter,
    status,
    /** Returns why the gateway cannot serve calls; empty if it can. */
    unready: async (): Promise<string[]> =>
      [
        (await probe.reason()) ?? [],
        status.trouble === 'full' ? 'The database is full, so nothing can be written.' : [],
      ].flat(),
    endpoints: () => [health({ storeStatus: status })],
    reload: (next) => () => meter.takeLimits(meterLimits(next)),
    close,
  } satisfies Capability & Record<string, unknown>;
}

/** Starts the periodic deletion and archiving of old rows. */
export function openRetention(ground: Ground, { db }: { db: Database }): Capability {
  const { config, log } = ground;
  const stopForgetting = startForgetting(db, log, { receiptDays: config.retention.receipts.days });
  const stopArchiving = openArchiving(ground, db);
  return {
    close: () => {
      stopForgetting();
      return stopArchiving();
    },
  };
}

/** Archives the ledger: SQLite in a worker thread if possible, else in this thread. */
function openArchiving({ config, log, now }: Ground, db: Database): () => Promise<void> {
  const { ledgerDays, archiveDir: folder } = config.retention;
  if (ledgerDays === null) return () => Promise.resolve();
  const startHere = (): (() => Promise<void>) => startArchiving({ db, ledgerDays, folder, now, log });
  if (config.databaseUrl) return startHere();
  let stop = startArchivingThread({ dataDir: config.dataDir, ledgerDays, folder }, log, (error) => {
    log.warn({ err: error }, 'the thread that archives charges failed');
    stop = startHere();
  });
  stop ??= startHere();
  return () => stop?.() ?? Promise.resolve();
}
