import type { Endpoint, Route } from '../http/endpoint';

export const openapiRoute: Route = { path: '/api/v1/openapi.json' };

/** GET /openapi.json: the machine-readable description of the endpoints of this gateway. Public. */
export function openapi({ description }: { description: () => string }): Endpoint {
  return {
    ...openapiRoute,
    GET: () => ({ status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }, body: description() }),
  };
}
