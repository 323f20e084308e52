import { storeUnavailable } from '../db/postgres/failure';
import { storeFull } from '../db/sqlite/store-full';
import type { StoreStatus } from '../db/store-status';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';

export const healthRoute: Route = { path: '/api/health', sameOrigin: true };

/**
 * GET /api/health, for load balancers: checks that the gateway can read and write its database. If it cannot, answers
 * 503 STORE_FULL or STORE_UNAVAILABLE. Answers within about a second, even if the database hangs.
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
