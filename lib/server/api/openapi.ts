import { askedOrigin, type GatewayRules } from '../auth/sign-in-rules';
import type { Endpoint, Route } from '../http/endpoint';
import type { Description } from './openapi/described';

export const openapiRoute: Route = { path: '/api/v1/openapi.json' };

/** GET /openapi.json: OpenAPI description of this gateway. Public. */
export function openapi({ description, rules }: { description: Description; rules: GatewayRules }): Endpoint {
  return {
    ...openapiRoute,
    GET: (call) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', vary: 'Host' },
      body: description(askedOrigin(call, rules), 'api'),
    }),
  };
}
