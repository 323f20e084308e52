import { describe, expect, it } from 'vitest';
import { readApiDescription } from './api-description';
import { matchesOperation, matchesSchema } from './filter-reference';

const [operation] = readApiDescription({
  paths: {
    '/crypto/rpc/{network}': {
      post: {
        summary: 'Forward a request',
        parameters: [{ name: 'Idempotency-Key', in: 'header' }],
        requestBody: { content: { 'application/json': { schema: { properties: { jsonrpc: { enum: ['2.0'] } } } } } },
        responses: {
          429: {
            description: 'A cap',
            headers: { 'Retry-After': {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/StandardError' } } },
          },
        },
      },
    },
  },
}).operations;

describe('the search of the reference', () => {
  it.each(['', '  ', 'post', 'RPC', 'idempotency', 'retry-after 429', 'jsonrpc', 'StandardError', 'forward cap'])(
    'finds the operation by %j',
    (search) => expect(matchesOperation(operation!, search)).toBe(true),
  );

  it.each(['delete', 'rpc nothing', 'type', '(', '\\'])('does not find it by %j', (search) =>
    expect(matchesOperation(operation!, search)).toBe(false),
  );

  it('finds a schema by its name, its members and what is said of them', () => {
    const schema = { properties: { retryAfter: { description: 'Seconds until the limit resets' } } };
    expect(
      ['limit', 'RETRYAFTER', 'limit seconds'].map((search) => matchesSchema('RateLimit', schema, search)),
    ).toEqual([true, true, true]);
    expect(matchesSchema('RateLimit', schema, 'properties')).toBe(false);
  });
});
