import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { routes } from '..';
import { type DocumentOptions, openApiDocument } from './document';

interface Media {
  schema: { contentMediaType?: string; $ref?: string };
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

interface Described {
  operationId: string;
  tags: string[];
  security: Record<string, unknown>[];
  'x-payment-info'?: unknown;
  parameters?: { name: string; in: string; schema: { enum?: string[] }; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers: Record<string, unknown>; content?: Record<string, Media> }>;
}

interface Document {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, unknown>;
    examples: Record<string, { value: unknown }>;
    securitySchemes: Record<string, unknown>;
  };
}

const ORIGIN = 'https://gateway.example';
const OPTIONS: DocumentOptions = {
  origin: ORIGIN,
  relativeTo: 'api',
  pricePerCreditUsd: '0.0000007',
  networks: ['base-mainnet', 'ethereum-mainnet'],
  perCallMinimumUsd: '0.010000',
};
const made = (options: Partial<DocumentOptions> = {}) =>
  openApiDocument(routes, { ...OPTIONS, ...options }) as unknown as Document;
const document = made();
const post = (path: string, of = document): Described =>
  (of.paths[path] as Record<string, Described>).post as Described;
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ name: `${verb.toUpperCase()} ${path}`, operation })),
);
const PAID = [
  '/crypto/rpc/{network}',
  '/chat/completions',
  '/responses',
  '/messages',
  '/audio/speech',
  '/audio/transcriptions',
  '/embeddings',
  '/images/generations',
  '/image/generate',
  '/video/queue',
];

describe('bodies of each media type', () => {
  const typesOf = (path: string) => Object.keys(post(path).responses['200']?.content ?? {});

  it('a chat is JSON, or events; a video is how far it is, or the video', () => {
    expect(typesOf('/chat/completions')).toEqual(['application/json', 'text/event-stream']);
    expect(typesOf('/video/retrieve')).toEqual(['application/json', 'video/mp4']);
  });

  it('audio is bytes of its own types, and no JSON', () => {
    expect(typesOf('/audio/speech')).toContain('audio/mpeg');
    for (const [type, { schema }] of Object.entries(post('/audio/speech').responses['200']?.content ?? {}))
      expect(schema).toEqual({ contentMediaType: type });
  });

  it.each(operations)(
    '$name: every JSON body has a name or is a choice of named ones, and an example',
    ({ operation }) => {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const body = content?.['application/json'];
        if (!body) continue;
        expect(body.schema.$ref, `${operation.operationId} ${status}`).toMatch(/^#\/components\/schemas\/\w+$/);
        if (!['attestation', 'keptReport'].includes(operation.operationId) || status !== '200')
          expect(Object.keys(body.examples ?? {}), `${operation.operationId} ${status}`).not.toEqual([]);
      }
    },
  );
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const valid = (schema: object, value: unknown) => {
    const validate = ajv.compile({ components: document.components, allOf: [schema] });
    return validate(value) ? [] : validate.errors;
  };

  it.each(operations)('$name: each fits its schema', ({ operation }) => {
    const bodies = [
      operation.requestBody?.content,
      ...Object.values(operation.responses).map(({ content }) => content),
    ].flatMap((content) => content?.['application/json'] ?? []);
    for (const { schema, examples = {} } of bodies) {
      for (const [name, { value, $ref }] of Object.entries(examples)) {
        const example = $ref === undefined ? value : document.components.examples[$ref.split('/').at(-1) ?? '']?.value;
        expect(example, name).toBeDefined();
        expect(valid(schema, example), `${operation.operationId}, ${name}`).toEqual([]);
      }
    }
  });
});

describe('what a request may leave out', () => {
  it('a message of a chat need not have a content: calls of tools have none', () => {
    const { properties } = document.components.schemas['ChatRequest'] as {
      properties: { messages: { items: { required: string[] } } };
    };
    expect(properties.messages.items.required).toEqual(['role']);
  });

  it('no choice in a schema is one that anything fits', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(anyOf|oneOf)":\[(\{[^[\]]*\},)*\{\}[,\]]/);
  });
});

describe('paying with the call', () => {
  it('each paid endpoint takes the payment headers, says what it costs, and gives a receipt', () => {
    for (const path of PAID) {
      const { security, parameters = [], responses, 'x-payment-info': payment } = post(path);
      expect(security).toEqual([{ bearerKey: [] }, { signInWithX: [] }, { payment: [] }]);
      expect(parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x402Version']),
      );
      expect(payment).toMatchObject({
        price: { mode: 'dynamic', currency: 'USD', min: '0.010000' },
        protocols: [{ x402: {} }],
      });
      expect(responses['200']?.headers).toHaveProperty('PAYMENT-RESPONSE');
      expect(responses).toHaveProperty('402');
    }
  });

  it('no other endpoint does', () => {
    const paying = operations.filter(({ operation }) => 'x-payment-info' in operation).map(({ name }) => name);
    expect(paying).toEqual(PAID.map((path) => `POST ${path}`));
  });

  it('a gateway that takes no payments with calls names none', () => {
    const without = made({ perCallMinimumUsd: null });
    for (const path of PAID) {
      expect(post(path, without).security).toEqual([{ bearerKey: [] }, { signInWithX: [] }]);
      expect(post(path, without)).not.toHaveProperty('x-payment-info');
      expect((post(path, without).parameters ?? []).map(({ name }) => name)).not.toContain('PAYMENT-SIGNATURE');
    }
  });
});

describe('where it is served', () => {
  it('at the API its paths are relative to the API, at the origin to the origin', () => {
    const atOrigin = made({ relativeTo: 'origin' });
    expect([document.servers, atOrigin.servers]).toEqual([[{ url: `${ORIGIN}/api/v1` }], [{ url: ORIGIN }]]);
    expect(Object.keys(atOrigin.paths)).toEqual(Object.keys(document.paths).map((path) => `/api/v1${path}`));
    expect(Object.values(atOrigin.paths)).toEqual(Object.values(document.paths));
  });

  it('the networks are those of the gateway', () => {
    const network = (of: Document) =>
      post('/crypto/rpc/{network}', of).parameters?.find(({ name }) => name === 'network');
    expect(network(document)).toMatchObject({
      in: 'path',
      schema: { enum: ['base-mainnet', 'ethereum-mainnet'] },
      example: 'ethereum-mainnet',
    });
    expect(network(made({ networks: [] }))?.schema).not.toHaveProperty('enum');
  });
});

it.each(operations)('$name has one of the tags that are described', ({ operation }) => {
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
  expect(operation.tags).toHaveLength(1);
});
