/**
 * @not next: pay-on-call.test.ts requests embeddings through Next.
 * @not postgres: charging has the same steps as speech and chats, which run on Postgres.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embed, embedMany } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attestationPolicy } from '@/lib/client/private-chat';
import { PrivateEmbeddings } from '@/lib/client/private-chat/private-embeddings';
import { sealBody } from '@/lib/protocol/e2ee/ehbp/sender';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { WAYS_TO_PAY, type WaysToPay, type WayToPay, waysToPay } from './harness/ways-to-pay';

/** Embeddings of the sandbox's stand-in, requested by unmodified third-party clients and paid in each way. */

const MODEL = 'stand-in-embedding';
const SEALED = 'tinfoil-embedding';
const TEXTS = ['How do I stake my tokens?', 'Staking locks tokens for an allocation.', 'The weather is fine today.'];

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let ways: WaysToPay;
beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
  ways = await waysToPay(gateway, sandbox);
}, 120_000);
afterAll(() => gateway?.stop());

const nearness = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);

/** The first vector is nearer to the second than to the third, and all have length 1. */
function expectSense(vectors: readonly (readonly number[])[], dimensions = 1_024): void {
  expect(vectors.map(({ length }) => length)).toEqual([dimensions, dimensions, dimensions]);
  for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
  const [asked, like, unlike] = vectors as [number[], number[], number[]];
  expect(nearness(asked, like)).toBeGreaterThan(nearness(asked, unlike) + 0.05);
}

const post = (way: WayToPay, body: object, headers: Record<string, string> = {}) =>
  ways[way].fetch(`${gateway.url}/api/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ways[way].headers, ...headers },
    body: JSON.stringify(body),
  });

describe.each(WAYS_TO_PAY)('paid by %s', (way) => {
  const cases: [string, object, number][] = [
    ['a text', { input: 'How do I stake?' }, 1],
    ['texts', { input: TEXTS }, 3],
    ['token ids', { input: [1, 2, 3] }, 1],
    ['lists of token ids', { input: [[1, 2], [3]] }, 2],
  ];
  for (const encoding of ['float', 'base64'] as const)
    test.each(cases)(`%s in ${encoding}`, async (_name, body, count) => {
      const response = await post(way, { model: MODEL, encoding_format: encoding, ...body });
      const { data, usage } = (await response.json()) as {
        data: { index: number; embedding: number[] | string }[];
        usage: { prompt_tokens: number };
      };
      expect([response.status, data.map(({ index }) => index)]).toEqual([
        200,
        Array.from({ length: count }, (_, at) => at),
      ]);
      for (const { embedding } of data)
        expect(typeof embedding === 'string' ? Buffer.from(embedding, 'base64').length / 4 : embedding.length).toBe(
          1_024,
        );
      expect(usage.prompt_tokens).toBeGreaterThan(0);
      if (way === 'payment')
        expect(JSON.parse(atob(response.headers.get('payment-response') ?? ''))).toMatchObject({ success: true });
      if (way === 'sign-in') expect(response.headers.get('x-balance-remaining')).toMatch(/^0\.\d{6}$/);
    });

  test.each([
    ['an empty text', { input: '' }, 400],
    ['an empty list', { input: [] }, 400],
    ['too many inputs', { input: Array.from({ length: 2_049 }, () => 'a') }, 400],
    ['a text that is too long', { input: 'a'.repeat(300_000) }, 400],
    ['wrong types', { input: { text: 'a' } }, 400],
    ['an unknown model', { model: 'none', input: 'a' }, 404],
  ])('%s is refused', async (_name, body, status) => {
    // Without a payment, a caller is asked for the minimum. With one, the error is returned and nothing is taken.
    const response = await post(way, { model: MODEL, ...body });
    const { error, code } = (await response.json()) as { error: string; code: string };
    expect([response.status, error.length > 10, code.length > 5]).toEqual([status, true, true]);
    expect(response.headers.get('payment-response')).toBeNull();
  });

  test('by the OpenAI SDK', async () => {
    const { headers, fetch: paidFetch } = ways[way];
    const client = new OpenAI({
      baseURL: `${gateway.url}/api/v1`,
      apiKey: 'none',
      defaultHeaders: { Authorization: null, ...headers },
      fetch: paidFetch,
      maxRetries: 0,
    });
    const { data, usage } = await client.embeddings.create({ model: MODEL, input: TEXTS });
    expectSense(data.map(({ embedding }) => embedding));
    expect(usage.total_tokens).toBeGreaterThan(10);
    const shorter = await client.embeddings.create({
      model: MODEL,
      input: TEXTS,
      dimensions: 256,
      encoding_format: 'float',
    });
    expectSense(
      shorter.data.map(({ embedding }) => embedding),
      256,
    );
  });

  test('by the AI SDK', async () => {
    const { headers, fetch: paidFetch } = ways[way];
    const provider = createOpenAICompatible({
      name: 'turnpike',
      baseURL: `${gateway.url}/api/v1`,
      headers,
      fetch: paidFetch,
    });
    const model = provider.embeddingModel(MODEL);
    const { embedding, usage } = await embed({ model, value: TEXTS[0] as string });
    expect([embedding.length, usage.tokens > 0]).toEqual([1_024, true]);
    expectSense((await embedMany({ model, values: TEXTS })).embeddings);
  });

  test('by LangChain', async () => {
    const { headers, fetch: paidFetch } = ways[way];
    const embeddings = new OpenAIEmbeddings({
      model: MODEL,
      apiKey: way === 'key' ? sandbox.demoKey : 'none',
      maxRetries: 0,
      configuration: {
        baseURL: `${gateway.url}/api/v1`,
        defaultHeaders: headers,
        // The client always sends a key. Removes it for the other ways to pay.
        fetch: (input, init) => {
          const sent = new Headers(init?.headers);
          if (way !== 'key') sent.delete('authorization');
          return paidFetch(input as string, { ...init, headers: sent } as RequestInit);
        },
      },
    });
    expectSense(await embeddings.embedDocuments(TEXTS));
    expect(await embeddings.embedQuery(TEXTS[0] as string)).toHaveLength(1_024);
  });
});

test('the same text has the same vector, in both encodings', async () => {
  const read = async (encoding: string) => {
    const response = await post('key', { model: MODEL, input: TEXTS[0], encoding_format: encoding });
    return ((await response.json()) as { data: { embedding: number[] | string }[] }).data[0]?.embedding;
  };
  const [floats, text] = [(await read('float')) as number[], String(await read('base64'))];
  const bytes = Buffer.from(text, 'base64');
  expect(floats.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(floats);
  expect(await read('float')).toEqual(floats);
});

test('an answer under an Idempotency-Key is kept and charged once', async () => {
  const ask = () =>
    post('sign-in', { model: MODEL, input: TEXTS, encoding_format: 'base64' }, { 'idempotency-key': 'one' });
  const first = await ask();
  const second = await ask();
  expect(await second.text()).toBe(await first.text());
  expect([second.headers.get('idempotent-replayed'), second.headers.get('x-balance-remaining')]).toEqual([
    'true',
    first.headers.get('x-balance-remaining'),
  ]);
});

test('the model is listed with price, length and flag, and says that it is a stand-in', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/models?type=embedding' });
  expect(json).toMatchObject({
    data: [
      {
        id: MODEL,
        type: 'embedding',
        model_spec: {
          name: expect.stringContaining('stand-in'),
          dimensions: 1_024,
          capabilities: { supportsDimensions: true },
          pricing: { input: { usd: 0.02 } },
        },
      },
      {
        id: SEALED,
        type: 'embedding',
        model_spec: {
          name: expect.stringContaining('stand-in'),
          capabilities: { supportsTeeAttestation: true, supportsE2EE: false, supportsFunctionCalling: false },
          pricing: { input: { usd: 0.02 } },
          privacy: 'e2ee',
          encryption: 'ehbp',
          encryptionHeaders: ['Ehbp-Encapsulated-Key', 'X-Service-TEE-Model'],
        },
      },
    ],
  });
  const chats = await gateway.ask({ method: 'GET', path: '/api/v1/models' });
  expect(chats.text).not.toContain(SEALED);
});

describe('encrypted to an enclave', () => {
  const body = JSON.stringify({ model: SEALED, input: TEXTS });
  const sent: Uint8Array[] = [];
  /** Pays in one of the ways. Fetches the report with the key, because the report is free. */
  const enclave = (
    headers: Record<string, string>,
    paidFetch: typeof fetch,
    accepted: ['simulated'] | [] = ['simulated'],
  ) =>
    new PrivateEmbeddings({
      model: SEALED,
      policy: attestationPolicy({ simulatedRoot: sandbox.enclave?.root ?? null }),
      accepted,
      connection: {
        baseUrl: gateway.url,
        fetch: (input, init) => {
          const isReport = String(input).includes('/tee/');
          if (!isReport) sent.push(new Uint8Array(init?.body as Uint8Array));
          const own = isReport ? ways.key.headers : headers;
          const all = new Headers(init?.headers);
          for (const [name, value] of Object.entries(own)) all.set(name, value);
          return (isReport ? fetch : paidFetch)(input, { ...init, headers: all });
        },
      },
    });
  const chargesOf = (requestId: string | null) =>
    gateway.books.charges().filter((charge) => charge.requestId === requestId);

  test.each(WAYS_TO_PAY)(
    'and paid by %s: the enclave alone reads the texts, and makes the same vectors',
    async (way) => {
      sent.length = 0;
      const { text, requestId } = await enclave(ways[way].headers, ways[way].fetch).ask(body);
      const { data, usage } = JSON.parse(text) as { data: { embedding: number[] }[]; usage: { prompt_tokens: number } };
      expectSense(data.map(({ embedding }) => embedding));
      const plain = (await (await post('key', { model: MODEL, input: TEXTS })).json()) as { data: unknown };
      expect(data).toEqual(plain.data);
      expect(sent.length).toBeGreaterThan(0);
      for (const bytes of sent) expect(Buffer.from(bytes).includes('stak')).toBe(false);
      expect(chargesOf(requestId)).toMatchObject([{ amount: usage.prompt_tokens * 20 }]);
    },
  );

  test('a key for encrypted calls alone buys them, and none in plain text', async () => {
    const { accountId } = await gateway.operator.createCaller({ usd: '1' });
    const { apiKey: admin } = await gateway.operator.createKey(accountId, '--type', 'ADMIN');
    const made = await fetch(`${gateway.url}/api/v1/api_keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'private', allow: { privacy: 'encrypted', models: [SEALED, MODEL] } }),
    });
    const { data } = (await made.json()) as { data: { apiKey: string } };
    const headers = { authorization: `Bearer ${data.apiKey}` };
    const { requestId } = await enclave(headers, fetch).ask(body);
    expect(chargesOf(requestId)).toHaveLength(1);
    const refused = await fetch(`${gateway.url}/api/v1/embeddings`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: 'Hello' }),
    });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'API_KEY_NOT_ALLOWED']);
  });

  test('nothing is sent where the verdict is not accepted', async () => {
    sent.length = 0;
    await expect(enclave(ways.key.headers, fetch, []).ask(body)).rejects.toMatchObject({
      code: 'ATTESTATION_NOT_ACCEPTED',
    });
    expect(sent).toEqual([]);
  });

  test('a request that the enclave refuses is told encrypted, and costs nothing', async () => {
    const charged = gateway.books.count();
    const asked = enclave(ways.key.headers, fetch).ask(JSON.stringify({ model: SEALED, input: '' }));
    await expect(asked).rejects.toMatchObject({ code: 'REPLY_ERROR', detail: expect.stringContaining('not valid') });
    expect(gateway.books.count()).toBe(charged);
  });

  test('in plain text, at the path of chats, or naming a chat model it is refused, and nothing is charged', async () => {
    const charged = gateway.books.count();
    const plain = await post('key', { model: SEALED, input: 'Hello' });
    expect([plain.status, await plain.json()]).toMatchObject([
      404,
      { error: expect.stringContaining('accepts only encrypted requests') },
    ]);
    const send = async (path: string, model: string) => {
      const { body: bytes, headers } = await sealBody(new TextEncoder().encode(body), new Uint8Array(32).fill(9));
      const response = await fetch(`${gateway.url}/api/v1${path}`, {
        method: 'POST',
        headers: { ...ways.key.headers, ...headers, 'content-type': 'application/json', 'x-service-tee-model': model },
        body: bytes as BodyInit,
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await send('/chat/completions', SEALED)).toEqual([404, 'MODEL_NOT_FOUND']);
    expect(await send('/embeddings', 'tinfoil-guide')).toEqual([404, 'MODEL_NOT_FOUND']);
    expect(await send('/embeddings', SEALED)).toEqual([422, 'EHBP_KEY_CONFIG']);
    expect(gateway.books.count()).toBe(charged);
  });
});

test('the endpoint stands in the API description, in llms.txt and among what is payable', async () => {
  const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
  const { paths } = JSON.parse(await read('/openapi.json')) as {
    paths: Record<string, { post?: { 'x-payment-info'?: unknown } }>;
  };
  expect(paths['/api/v1/embeddings']?.post?.['x-payment-info']).toBeDefined();
  expect(await read('/llms.txt')).toContain('POST /api/v1/embeddings');
  expect(await read('/.well-known/x402')).toContain('/api/v1/embeddings');
});
