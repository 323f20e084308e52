import { describe, expect, it } from 'vitest';
import { readApiDescription, readFirstHead } from './api-description';

const document = {
  info: { title: 'Turnpike', version: '1', 'x-price-per-credit-usd': '0.0000007' },
  servers: [{ url: 'http://localhost:3000/api/v1' }],
  paths: {
    '/crypto/rpc/{network}': {
      post: {
        operationId: 'rpc',
        summary: 'Forward',
        security: [{ apiKey: [] }, { signInWithX: [] }],
        parameters: [
          { name: 'network', in: 'path', required: true, description: 'A slug', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: {} },
        ],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object' }, examples: { single: { value: { id: 1 } } } } },
        },
        responses: {
          200: {
            description: 'An answer',
            headers: { 'X-Request-ID': { description: 'Correlation id' } },
            content: { 'application/json': { schema: {}, example: { id: 1 } }, 'text/event-stream': { schema: {} } },
          },
          404: {
            description: 'None',
            content: {
              'application/json': {
                schema: {},
                examples: {
                  NONE: { $ref: '#/components/examples/NONE' },
                  GONE: { $ref: '#/components/examples/GONE' },
                },
              },
            },
          },
        },
      },
    },
    '/crypto/rpc/networks': { get: { responses: {} } },
  },
  components: {
    schemas: { Zebra: { type: 'object' }, Apple: { type: 'string' } },
    examples: { NONE: { value: { code: 'NONE' } } },
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'A key' },
      signInWithX: { type: 'apiKey', in: 'header', name: 'SIGN-IN-WITH-X' },
    },
  },
};

describe('the API description', () => {
  const read = readApiDescription(document);

  it('has what the document says of an operation', () => {
    expect(read.operations[0]).toMatchObject({
      id: 'rpc',
      verb: 'POST',
      path: '/crypto/rpc/{network}',
      credentials: [{ header: 'Authorization', description: 'A key' }, { header: 'SIGN-IN-WITH-X' }],
      body: { mediaType: 'application/json', examples: [{ name: 'single', value: { id: 1 } }] },
      responses: [
        {
          status: '200',
          headers: [{ name: 'X-Request-ID' }],
          contents: [
            { mediaType: 'application/json', examples: [{ name: 'example', value: { id: 1 } }] },
            { mediaType: 'text/event-stream', examples: [] },
          ],
        },
        { status: '404', contents: [{ examples: [{ name: 'NONE', value: { code: 'NONE' } }] }] },
      ],
    });
  });

  it('has a first operation, whose head has no schemas', () => {
    expect(readFirstHead(document)).toEqual({
      id: 'rpc',
      verb: 'POST',
      path: '/crypto/rpc/{network}',
      summary: 'Forward',
      description: '',
      credentials: [
        { name: 'apiKey', header: 'Authorization', description: 'A key' },
        { name: 'signInWithX', header: 'SIGN-IN-WITH-X', description: '' },
      ],
    });
    expect(readFirstHead(null)).toBeNull();
  });

  it('leaves out parameters of places that it cannot show', () =>
    expect(read.operations[0]?.parameters.map(({ name }) => name)).toEqual(['network']));

  it('makes an id, fit for an address, for an operation that has none', () =>
    expect(read.operations[1]).toMatchObject({
      id: 'get-crypto-rpc-networks',
      verb: 'GET',
      credentials: [],
      body: null,
      responses: [],
    }));

  it('sorts the schemas', () => expect([...read.schemas.keys()]).toEqual(['Apple', 'Zebra']));

  it.each([
    null,
    3,
    'x',
    [],
    {},
    { paths: [], info: 4, components: { schemas: null } },
    { paths: { '/a': null, '/b': { get: 5 } } },
  ])('finds nothing in %j, and does not throw', (odd) => {
    expect(readApiDescription(odd)).toMatchObject({ operations: [] });
  });
});
