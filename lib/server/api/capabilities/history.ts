import { measureHistory } from '../../billing/requests/history-metrics';
import { RequestHistory } from '../../billing/requests/request-history';
import type { Database } from '../../db/schema';
import type { StoreStatus } from '../../db/store-status';
import { billingRequests } from '../billing/requests';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Keeps the requests of each account, for the console. */
export function openHistory(
  { config, log, metrics, now }: Ground,
  { db, status }: { db: Database; status: Pick<StoreStatus, 'trouble'> },
) {
  const isFull = (): boolean => status.trouble === 'full';
  const history = new RequestHistory({ db, config: config.retention.requests, isFull, now, log });
  history.start();
  measureHistory(metrics, history);
  return {
    history,
    endpoints: ({ auth }) => [billingRequests({ auth, db, now })],
    close: () => history.stop(),
  } satisfies Capability & { history: RequestHistory };
}
