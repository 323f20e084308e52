import { storeUnavailable } from '../db/postgres/store-unavailable';
import { storeFull } from '../db/sqlite/store-full';
import type { StoreStatus } from '../db/store-status';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';

export const healthRoute: Route = { path: '/api/health', sameOrigin: true };

/**
 * GET /api/health: the process answers, and its store can be read and written. For load balancers. Answers within
 * little more than a second, however the store hangs: 503 with STORE_FULL or STORE_UNAVAILABLE.
 */
export function health({ storeStatus }: { storeStatus: StoreStatus }): Endpoint {
  return {
    ...healthRoute,
    GET: async () => {
      const trouble = await storeStatus.check();
      if (trouble === 'full') throw storeFull();
      if (trouble === 'away') throw storeUnavailable(new Error('The database does not answer.'));
      return json({ status: 'ok' });
    },
  };
}
