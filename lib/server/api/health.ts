import { json } from '../http/call';
import type { Endpoint } from '../http/endpoint';

/** GET /api/health: the process answers and its store can be read. For load balancers and supervisors. */
export const health: Endpoint = {
  path: '/api/health',
  sameOrigin: true,
  GET: async (_call, { meter }) => {
    await meter.findKey('');
    return json({ status: 'ok' });
  },
};
