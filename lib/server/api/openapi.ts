import type { Endpoint } from '../http/endpoint';

/** GET /openapi.json: the machine-readable description of the endpoints of this gateway. Public. */
export const openapi: Endpoint = {
  path: '/api/v1/openapi.json',
  GET: (_call, { apiDescription }) => ({ status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }, body: apiDescription() }),
};
