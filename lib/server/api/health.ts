import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import type { CallerDirectory } from '../auth/caller';

export const healthRoute: Route = { path: '/api/health', sameOrigin: true };

/** GET /api/health: the process answers and its store can be read. For load balancers and supervisors. */
export function health({ callers }: { callers: CallerDirectory }): Endpoint {
  return {
    ...healthRoute,
    GET: async () => {
      await callers.findKey('');
      return json({ status: 'ok' });
    },
  };
}
