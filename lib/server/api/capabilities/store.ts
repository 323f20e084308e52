import { meterLimits, openMeteredStore } from '../../billing/open-metered-store';
import { measureStore } from '../../billing/store-metrics';
import { StoreProbe } from '../../db/store-probe';
import { health } from '../health';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Opens database and meter. @param checkpointThread as in `openSqlite` */
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
    /** Returns the reasons why the gateway should get no calls. */
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
