/**
 * @not next: the document is the same object. http.test.ts fetches it through Next, and the harness checks every answer
 *   against it.
 * @not postgres: the document does not depend on the database.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from './harness/documented-answers';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';

/** GET /api/v1/openapi.json. harness/documented-answers.ts checks every answer of the suite against it. */

let live: LiveGateway;
let document: ApiDocument;

beforeAll(async () => {
  live = await startLiveGateway();
  document = (await live.gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' })).json as ApiDocument;
});
afterAll(() => live?.stop());

test('it is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document.openapi).toMatch(/^3\.1\./);
});

test('it is public', async () => {
  const answer = await live.gateway.ask({
    method: 'GET',
    path: '/api/v1/openapi.json',
    headers: { authorization: 'Bearer tpk_unknown' },
  });
  expect(answer.status).toBe(200);
});

test('its version is date and time: digits, a dot, digits', () => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})\.(\d{2})(\d{2})(\d{2})$/.exec(document.info.version) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  expect(time.toISOString().slice(0, 10)).toBe(`${year}-${month}-${day}`);
});

test('every path sits under the prefix /api/v1, which is in the server’s URL', () => {
  for (const { url } of document.servers) expect(url).toMatch(/\/api\/v1$/);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/crypto/rpc/{network}', '/crypto/rpc/networks']),
  );
  for (const path of Object.keys(document.paths)) expect(path).not.toMatch(/^\/(api|v1|sandbox)(\/|$)/);
});

test('every reference leads to a definition, and no definition is only a reference to itself', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  );
  for (const name of references) expect(document.components.schemas).toHaveProperty(name);
  for (const [name, schema] of Object.entries(document.components.schemas))
    expect(schema).not.toEqual({ $ref: `#/components/schemas/${name}` });
});

describe('POST /crypto/rpc/{network}', () => {
  const operation = () =>
    (document.paths['/crypto/rpc/{network}'] as Record<string, unknown>).post as {
      responses: Record<string, { headers: Record<string, unknown> }>;
      parameters: { name: string; in: string; required: boolean; schema: { pattern?: string } }[];
      security: Record<string, unknown>[];
    };

  test('documents the status codes 200, 400, 401, 402, 429, 500', () => {
    expect(Object.keys(operation().responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '402', '429', '500']),
    );
  });

  test('documents X-Request-ID on every answer, credits and cost on a success, X-RateLimit-* on 429 only', () => {
    for (const [status, { headers }] of Object.entries(operation().responses)) {
      expect(headers).toHaveProperty('X-Request-ID');
      expect('X-RateLimit-Limit' in headers).toBe(status === '429');
      expect('X-Service-RPC-Credits' in headers).toBe(status === '200');
    }
  });

  test('documents the parameter network and the header Idempotency-Key with its pattern', () => {
    const named = Object.fromEntries(operation().parameters.map((parameter) => [parameter.name, parameter]));
    expect(named.network).toMatchObject({ in: 'path', required: true });
    expect(named['Idempotency-Key']).toMatchObject({
      in: 'header',
      required: false,
      schema: { pattern: '^[A-Za-z0-9_-]{1,255}$' },
    });
  });

  test('names the credentials that are taken: an API key, or the sign-in of a wallet', () => {
    expect(operation().security).toEqual([{ bearerKey: [] }, { signInWithX: [] }]);
  });
});
