import type { Endpoint } from '../http/endpoint';
import { openApiDocument } from '../openapi/document';

/** GET /openapi.json: the machine-readable description of the endpoints of this gateway. Public. */
export const openapi: Endpoint = {
  path: '/api/v1/openapi.json',
  GET: (_call, gateway) => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
    body: JSON.stringify(openApiDocument(gateway.endpoints, { baseUrl: `${gateway.origin}/api/v1`, pricePerCreditUsd: gateway.config.pricePerCreditUsd })),
  }),
};
