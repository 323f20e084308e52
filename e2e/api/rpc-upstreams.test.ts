/**
 * @not next: adapters handle answers after upstream errors like other answers.
 * @at postgres: database functions release the reservations of failed calls.
 * @waits: for nodes that do not answer.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { expectCharged, usdOf } from './harness/credits';
import { freePort } from './harness/free-port';
import { type LiveGateway, startLiveGateway, UNCONFIGURED_NETWORK } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { resultOfEach, type StubScript } from './harness/stub-upstream';

/**
 * spec, "Errors", 500: upstream fetch failed (network error or timeout) or service misconfigured. wire: nothing is
 * charged.
 */

const TIMEOUT_MS = 700;
const ANSWER_BYTES_MAX = 300_000;

/** Networks with new upstreams, because the gateway may avoid an upstream that failed before. */
const FRESH_NETWORKS = Array.from({ length: 60 }, (_none, index) => `fresh${index}-mainnet`);

let live: LiveGateway;
let caller: Caller;
let unused: string[];

beforeAll(async () => {
  const closed = await freePort();
  live = await startLiveGateway({
    rpc: { timeoutMs: TIMEOUT_MS, connectTimeoutMs: 500, answerBytesMax: ANSWER_BYTES_MAX },
    networks: (stub) => ({
      ...Object.fromEntries(FRESH_NETWORKS.map((slug) => [slug, { upstreams: [stub.url(slug)] }])),
      'refusing-mainnet': { upstreams: [`http://127.0.0.1:${closed}/a-secret-in-the-path`] },
      'guarded-mainnet': {
        upstreams: [
          { url: stub.url('guarded?key=a-secret-in-the-query'), headers: { 'X-Node-Key': 'a-secret-header' } },
        ],
      },
      'login-mainnet': { upstreams: [stub.url('login').replace('http://', 'http://user:p%40ss@')] },
    }),
  });
  unused = [...FRESH_NETWORKS];
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
const batch = [chainId, { ...chainId, id: 2 }];

/** Expects 500 if the upstream of an unused network answers with `script`. */
async function expectFailureOf(script: StubScript, body: unknown = chainId, as = caller): Promise<void> {
  const network = unused.pop();
  if (network === undefined) throw new Error('More fresh networks are needed.');
  live.stub.reset();
  live.stub.answer(script);
  await expectFailure(body, network, as);
  expect(live.stub.requests.length, 'the upstream was asked').toBeGreaterThan(0);
}

/** Expects 500 with a StandardError without secrets of the upstream, and no charge. */
async function expectFailure(body: unknown, network: string, as = caller): Promise<void> {
  const charges = live.gateway.books.count();
  const answer = await live.gateway.rpc(body, { as, network });
  expect(answer.status, answer.text.slice(0, 300)).toBe(500);
  const { error } = answer.json as { error: string };
  expect(error).toContain(network);
  expect(answer.json).not.toHaveProperty('details');
  expect(answer.text).not.toMatch(/a-secret|:\d{4,5}\b/);
  expect(answer.headers['x-service-rpc-credits']).toBeUndefined();
  expect(live.gateway.books.count()).toBe(charges);
}

const withId = (id: unknown, member = '"result":1') => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${member}}`;

at('fast').describe('a single call', () => {
  const ANSWERS: Readonly<Record<string, StubScript>> = {
    'status 500': () => ({ status: 500, body: 'Internal Server Error' }),
    'status 500 with a sound answer in it': ({ items }) => ({ status: 500, body: withId(items[0]?.id) }),
    'status 404': () => ({ status: 404, body: 'not here' }),
    'status 429': () => ({ status: 429, headers: { 'retry-after': '1' }, body: '{"error":"slow down"}' }),
    'status 401': () => ({ status: 401, body: '{"error":"your key"}' }),
    'a redirect': () => ({ status: 302, headers: { location: '/elsewhere' } }),
    'status 204': () => ({ status: 204 }),
    HTML: () => ({ headers: { 'content-type': 'text/html' }, body: '<html><body>It works!</body></html>' }),
    'HTML announced as JSON': () => '<html><body>It works!</body></html>',
    'an empty body': () => '',
    'truncated JSON': ({ items }) => withId(items[0]?.id, '"result":{"a":[1,2,3').slice(0, -1),
    'a cut number': ({ items }) => `{"jsonrpc":"2.0","id":${String(items[0]?.id)},"result":1`,
    'bytes after the JSON': ({ items }) => `${withId(items[0]?.id)}x`,
    'two answers': ({ items }) => withId(items[0]?.id) + withId(items[0]?.id),
    'JSON that is no object': () => '"0x1"',
    'JSON null': () => 'null',
    'an array for an object': ({ items }) => `[${withId(items[0]?.id)}]`,
    'neither result nor error': ({ items }) => `{"jsonrpc":"2.0","id":${String(items[0]?.id)}}`,
    'an error that is no object': ({ items }) => withId(items[0]?.id, '"error":"no"'),
    'another id': () => withId(987654321),
    'its id as a string': ({ items }) => withId(`${String(items[0]?.id)}x`),
    'a result under no id': () => '{"jsonrpc":"2.0","result":1}',
    'a bare word as its result': ({ items }) => withId(items[0]?.id, '"result":undefined'),
    'invalid UTF-8': ({ items }) =>
      Buffer.concat([
        Buffer.from(`{"jsonrpc":"2.0","id":${String(items[0]?.id)},"result":"`),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ]),
    'a large answer that is no JSON inside': ({ items }) =>
      withId(items[0]?.id, `"result":["${'a'.repeat(100_000)}", bogus]`),
    'an answer over the size limit': resultOfEach(`"${'a'.repeat(ANSWER_BYTES_MAX)}"`),
    'a connection closed at once': (_request, response) => void response.destroy(),
    'a connection closed in the middle of the answer': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"jsonrpc":"2.0",', () => response.destroy());
      return undefined;
    },
    'fewer bytes than announced': ({ items }, response) => {
      const body = withId(items[0]?.id);
      response.writeHead(200, { 'content-length': String(body.length + 10) });
      response.write(body, () => response.destroy());
      return undefined;
    },
  };

  test.each(Object.entries(ANSWERS))('%s is 500 and bills nothing', (_what, script) => expectFailureOf(script));

  test.each([
    ['no answer', () => undefined],
    [
      'an answer that does not end',
      (_request: unknown, response: { writeHead(status: number): void; write(text: string): void }) => {
        response.writeHead(200);
        response.write('{"jsonrpc":"2.0",');
        return undefined;
      },
    ],
  ] as [string, StubScript][])('%s within the time-out is 500 and bills nothing', async (_what, script) => {
    const startedAt = performance.now();
    await expectFailureOf(script);
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS + 3_000);
  });

  test('a refused connection is 500 and bills nothing', () => expectFailure(chainId, 'refusing-mainnet'));

  test('a send that failed is not sent again', async () => {
    await expectFailureOf(() => ({ status: 500 }), { ...chainId, method: 'eth_sendRawTransaction', params: ['0x'] });
    expect(live.stub.requests).toHaveLength(1);
  });
});

at('fast').describe('a batch', () => {
  const ANSWERS: Readonly<Record<string, StubScript>> = {
    'an incomplete batch': ({ items }) => `[${withId(items[0]?.id)}]`,
    'an empty array': () => '[]',
    'an object for an array': () => withId(4711),
    'one error for all': () =>
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not allowed"}}',
    'an answer too many': ({ items }) => `[${[...items, { id: 77 }].map(({ id }) => withId(id)).join(',')}]`,
    'one id twice': ({ items }) => `[${withId(items[0]?.id)},${withId(items[0]?.id)}]`,
    'another id': ({ items }) => `[${withId(items[0]?.id)},${withId(4711)}]`,
    'an element that is no object': ({ items }) => `[${withId(items[0]?.id)},null]`,
    'truncated JSON': ({ items }) => `[${items.map(({ id }) => withId(id)).join(',')}`,
    'status 503': () => ({ status: 503, body: '[]' }),
  };

  test.each(Object.entries(ANSWERS))('%s is 500 and bills nothing', (_what, script) => expectFailureOf(script, batch));
});

describe('service misconfigured', () => {
  test('a listed network without an upstream is 500 naming what to configure', async () => {
    await expectFailure(chainId, UNCONFIGURED_NETWORK);
    const { json } = await live.gateway.rpc(chainId, { as: caller, network: UNCONFIGURED_NETWORK });
    expect(json).toMatchObject({ error: expect.stringContaining('RPC_LINEA_SEPOLIA') });
  });
});

describe('after a failure', () => {
  test('the whole balance can still be spent: nothing stays reserved', async () => {
    const exact = await live.gateway.operator.createCaller({ usd: usdOf(40) });
    const failures: StubScript[] = [
      () => ({ status: 500 }),
      () => 'no JSON',
      () => '[]',
      (_request, response) => void response.destroy(),
      () => undefined,
    ];
    for (const failure of failures) await expectFailureOf(failure, batch, exact);
    await expectFailure(batch, 'refusing-mainnet', exact);
    await expectFailure(batch, UNCONFIGURED_NETWORK, exact);
    live.stub.reset();
    expectCharged(live.gateway, await live.gateway.rpc(batch, { as: exact }), 40);
  });

  at('fast').test('the gateway reconnects to an upstream that closed an idle connection', async () => {
    await live.gateway.rpc(chainId, { as: caller });
    live.stub.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expectCharged(live.gateway, await live.gateway.rpc(chainId, { as: caller }), 20);
  });
});

describe('a JSON-RPC error from an upstream is the caller’s 200 and 5 credits', () => {
  test('also under a null id, as a node answers a request it cannot read', async () => {
    live.stub.answer(() => '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}');
    const answer = await live.gateway.rpc({ ...chainId, id: 'mine' }, { as: caller });
    expectCharged(live.gateway, answer, 5);
    expect(answer.json).toMatchObject({ id: 'mine', error: { code: -32700 } });
  });
});

at('fast').describe('what an upstream is given', () => {
  test('the path, query and headers of its configuration', async () => {
    expectCharged(live.gateway, await live.gateway.rpc(chainId, { as: caller, network: 'guarded-mainnet' }), 20);
    expect(live.stub.request.network).toBe('guarded?key=a-secret-in-the-query');
    expect(live.stub.request.headers).toMatchObject({
      'x-node-key': 'a-secret-header',
      'content-type': 'application/json',
    });
  });

  test('the name and password of its URL, as basic authorization', async () => {
    expectCharged(live.gateway, await live.gateway.rpc(chainId, { as: caller, network: 'login-mainnet' }), 20);
    expect(live.stub.request.headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });
});
