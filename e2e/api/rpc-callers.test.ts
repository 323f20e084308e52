/**
 * @at next: headers with credentials pass Next's own server, and 402 answers have a long header. What a key may spend
 *   is decided behind the adapter, and not tested there.
 * @at postgres: keys, revocations, limits and balances are database rows and functions.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { expectCharged, usdOf } from './harness/credits';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { until } from '@/test/until';

/** spec, "Authentication" and the 401 and 402 of "Errors"; wire, "Who is the caller". */

let live: LiveGateway;
let rich: Caller;
let empty: Caller;
/** Key of `rich` that expires during the other tests. */
let shortLived: { apiKey: string; expiresAt: number };

beforeAll(async () => {
  live = await startLiveGateway();
  const { operator } = live.gateway;
  [rich, empty] = await Promise.all([operator.createCaller(), operator.createCaller({ usd: '0' })]);
  const expiresAt = Date.now() + 6_000;
  const { apiKey } = await operator.createKey(rich.accountId, '--expires', new Date(expiresAt).toISOString());
  shortLived = { apiKey, expiresAt };
  expectCharged(live.gateway, await call({ key: apiKey }), 20);
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
/** Endpoints with a credential that charge nothing. */
const UNPAID = [
  { method: 'GET', path: '/api/v1/billing/balance' },
  {
    method: 'POST',
    path: '/api/v1/video/complete',
    body: JSON.stringify({ model: 'm', queue_id: '00000000-0000-4000-8000-000000000000' }),
  },
];
const call = (as: Pick<Caller, 'key'> | null, headers = {}, body: unknown = chainId) =>
  live.gateway.rpc(body, { as, headers });

/** Expects this status and code, without a charge or an upstream call. */
async function expectRefused(ask: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const charges = live.gateway.books.count();
  const answer = await ask;
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toMatchObject({ error: expect.any(String), code });
  expect(live.stub.requests).toHaveLength(0);
  expect(live.gateway.books.count()).toBe(charges);
  return answer;
}

/** Invalid bodies. They must not be checked before the credential. */
const BODIES = [
  ['a sound body', JSON.stringify(chainId), {}],
  ['an empty body', '', {}],
  ['invalid JSON', '{', {}],
  ['invalid UTF-8', new Uint8Array([0xff]), {}],
  ['a refused method', '{"method":"eth_sign"}', {}],
  ['another content type', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a body of 10 MB', 'x'.repeat(10 * 1024 * 1024), {}],
] as const;

describe('no credential on an inference endpoint is 402 shape A and header PAYMENT-REQUIRED', () => {
  test('the body has the fields of shape A', async () => {
    const answer = await call(null);
    expect(answer.status).toBe(402);
    const text = expect.stringMatching(/\S/);
    expect(answer.json).toMatchObject({
      x402Version: expect.any(Number),
      error: text,
      resource: {
        url: expect.stringMatching(/^https?:\/\/.+\/api\/v1\/crypto\/rpc\/ethereum-mainnet$/),
        description: text,
        mimeType: 'application/json',
      },
      accepts: expect.any(Array),
      authOptions: {
        apiKey: { header: text, getKey: text, docs: text },
        x402Wallet: { header: text, legacyHeader: text, topUp: text, docs: text },
      },
    });
    expect((answer.json as { authOptions: { x402Wallet: object } }).authOptions.x402Wallet).toMatchObject({
      header: 'SIGN-IN-WITH-X',
      legacyHeader: 'X-Sign-In-With-X',
    });
    for (const { scheme, amount, ...entry } of (answer.json as { accepts: Record<string, unknown>[] }).accepts) {
      expect({ scheme, ...entry }).toMatchObject({
        scheme: 'exact',
        network: text,
        asset: text,
        payTo: text,
        maxTimeoutSeconds: expect.any(Number),
        extra: expect.any(Object),
      });
      expect(amount).toMatch(/^[1-9][0-9]*$/);
    }
  });

  test('the header is base64 of an x402 v2 PaymentRequired object, which says the same', async () => {
    const answer = await call(null);
    const required = JSON.parse(
      Buffer.from(String(answer.headers['payment-required']), 'base64').toString('utf8'),
    ) as Record<string, unknown>;
    const { resource, accepts } = answer.json as { resource: object; accepts: unknown[] };
    expect(required).toMatchObject({ x402Version: 2, resource, accepts });
  });

  test.each(BODIES)('a caller who sends %s', async (_what, body, headers) => {
    const answer = await call(null, headers, body);
    expect(answer.status).toBe(402);
    expect(answer.headers['payment-required']).toBeDefined();
  });

  test.each(['no-such-network', 'linea-sepolia'])('whatever the network: %s', async (network) => {
    expect((await live.gateway.rpc(chainId, { as: null, network })).status).toBe(402);
  });
});

at('fast', 'postgres').describe('a Bearer key that is unknown or revoked is 401', () => {
  test.each([
    ['unknown', 'Bearer tpk_00000000000000000000000000000000000000000000'],
    ['unknown and short', 'Bearer x'],
    ['unknown, of 5,000 characters', `Bearer ${'k'.repeat(5_000)}`],
    ['missing', 'Bearer'],
    ['missing after white space', 'Bearer   '],
    ['two words', 'Bearer one two'],
    ['of another scheme', 'Basic dXNlcjpwYXNz'],
    ['without a scheme', 'tpk_00000000000000000000000000000000000000000000'],
    ['a JWT of nobody', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['empty', ''],
  ])('%s', async (_what, authorization) => {
    const { json } = await call(null, { authorization });
    const answer = await call(null, { authorization });
    expect(answer.status).toBe(401);
    expect(json).toMatchObject({ error: expect.any(String) });
    expect(json).not.toHaveProperty('details');
    expect(live.stub.requests).toHaveLength(0);
  });

  test('the key of a caller with one letter changed', async () => {
    const last = rich.key.at(-1) === 'A' ? 'B' : 'A';
    await expectRefused(call({ key: rich.key.slice(0, -1) + last }), 401, 'INVALID_API_KEY');
  });

  test.each(BODIES)('a bad key is 401 with %s', async (_what, body, headers) => {
    await expectRefused(call({ key: 'tpk_unknown' }, headers, body), 401, 'INVALID_API_KEY');
  });

  test('a revoked key stops working with the next request; other keys of the account go on', async () => {
    const { id, apiKey } = await live.gateway.operator.createKey(rich.accountId);
    expectCharged(live.gateway, await call({ key: apiKey }), 20);
    const unpaid = () =>
      Promise.all(
        UNPAID.map((question) =>
          live.gateway.ask({
            ...question,
            headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          }),
        ),
      );
    expect((await unpaid()).map(({ status }) => status)).toEqual([200, 404]);
    await live.gateway.operator.run('keys revoke', '--id', String(id));
    live.stub.reset();
    const { books } = live.gateway;
    const charges = books.count();
    // Another process revokes the key, and this call reserves nothing first, so a cached copy of the key would still be
    // accepted.
    expect((await unpaid()).map(({ json }) => (json as { code?: string }).code)).toEqual(
      UNPAID.map(() => 'API_KEY_REVOKED'),
    );
    expect(await call({ key: apiKey })).toMatchObject({ status: 401, json: { code: 'API_KEY_REVOKED' } });
    expect(books.count()).toBe(charges);
    // On Postgres, the call of a caller far from every limit may run before admission, and be refused afterwards.
    expect(live.stub.requests.length).toBeLessThanOrEqual(
      (process.env.CONTRACT_STORE ?? 'sqlite') === 'sqlite' ? 0 : 1,
    );
    live.stub.reset();
    await expectRefused(call({ key: apiKey }), 401, 'API_KEY_REVOKED');
    expectCharged(live.gateway, await call(rich), 20);
  });
});

at('fast', 'postgres').describe('a malformed sign-in header is 401', () => {
  test.each([
    ['SIGN-IN-WITH-X', 'not base64 at all!'],
    ['SIGN-IN-WITH-X', Buffer.from('{}').toString('base64')],
    [
      'SIGN-IN-WITH-X',
      Buffer.from('{"address":"0x0","message":"m","signature":"0x","timestamp":0,"chainId":8453}').toString('base64'),
    ],
    ['X-Sign-In-With-X', Buffer.from('[]').toString('base64')],
  ])('%s: %s', async (name, value) => {
    const answer = await call(null, { [name]: value });
    expect(answer.status).toBe(401);
    expect(live.stub.requests).toHaveLength(0);
  });

  test('both a Bearer key and a sign-in header: the Bearer key wins', async () => {
    const signIn = { 'sign-in-with-x': 'nonsense' };
    expectCharged(live.gateway, await call(rich, signIn), 20);
    live.stub.reset();
    await expectRefused(call({ key: 'tpk_unknown' }, signIn), 401, 'INVALID_API_KEY');
  });
});

describe('what a Bearer key may look like on the wire', () => {
  test.each([
    ['the scheme in lower case (RFC 9110, section 11.1)', () => `bearer ${rich.key}`],
    ['more than one space', () => `Bearer   ${rich.key}`],
  ])('%s', async (_what, authorization) => {
    expectCharged(live.gateway, await call(null, { authorization: authorization() }), 20);
  });

  test.each(['INFERENCE', 'ADMIN'])('a key of type %s is accepted', async (type) => {
    const { apiKey } = await live.gateway.operator.createKey(rich.accountId, '--type', type);
    expectCharged(live.gateway, await call({ key: apiKey }), 20);
  });
});

at('fast', 'postgres').describe(
  'a valid key whose account has nothing to spend is 402 with code INSUFFICIENT_BALANCE',
  () => {
    test.each(BODIES)('a caller who sends %s', async (_what, body, headers) => {
      await expectRefused(call(empty, headers, body), 402, 'INSUFFICIENT_BALANCE');
    });

    test('whatever the network', async () => {
      await expectRefused(
        live.gateway.rpc(chainId, { as: empty, network: 'no-such-network' }),
        402,
        'INSUFFICIENT_BALANCE',
      );
    });

    test('a grant by the operator takes effect with the next request', async () => {
      const poor = await live.gateway.operator.createCaller({ usd: '0' });
      await expectRefused(call(poor), 402, 'INSUFFICIENT_BALANCE');
      await live.gateway.operator.run('grants add', '--account', String(poor.accountId), '--usd', usdOf(20));
      expectCharged(live.gateway, await call(poor), 20);
      live.stub.reset();
      await expectRefused(call(poor), 402, 'INSUFFICIENT_BALANCE');
      await live.gateway.operator.run('grants add', '--account', String(poor.accountId), '--bundled', usdOf(20));
      expectCharged(live.gateway, await call(poor), 20);
    });
  },
);

at('fast', 'postgres').describe('too little balance for this call', () => {
  test('a single call: 402 names what there is and what it costs', async () => {
    const poor = await live.gateway.operator.createCaller({ usd: usdOf(30) });
    const { json } = await expectRefused(call(poor, {}, { id: 1, method: 'trace_block' }), 402, 'INSUFFICIENT_BALANCE');
    expect(json).toMatchObject({ currentBalanceUsd: 0.000021, minimumBalanceUsd: 0.000028 });
    expectCharged(live.gateway, await call(poor), 20);
  });

  test('402 for a batch names the cost of the batch in minimumBalanceUsd', async () => {
    const poor = await live.gateway.operator.createCaller({ usd: usdOf(99) });
    const batch = ['eth_call', 'debug_traceCall', 'eth_call', 'eth_call'].map((method, id) => ({ id, method }));
    const { json } = await expectRefused(call(poor, {}, batch), 402, 'INSUFFICIENT_BALANCE');
    expect(json).toMatchObject({ currentBalanceUsd: 0.0000693, minimumBalanceUsd: 0.00007 });
    const { json: ofNothing } = await expectRefused(call(empty, {}, batch), 402, 'INSUFFICIENT_BALANCE');
    expect(ofNothing).toMatchObject({ currentBalanceUsd: 0, minimumBalanceUsd: 0.00007 });
    await live.gateway.operator.run('grants add', '--account', String(poor.accountId), '--usd', usdOf(1));
    expectCharged(live.gateway, await call(poor, {}, batch), 100);
  });
});

at('fast', 'postgres').describe(
  'a valid key over its own consumption limit is 402 with code API_KEY_USD_SPEND_LIMIT_EXCEEDED',
  () => {
    test('the call that would exceed it is refused; the account’s other keys go on', async () => {
      const { apiKey } = await live.gateway.operator.createKey(rich.accountId, '--limit-usd', usdOf(50));
      for (let i = 0; i < 2; i++) expectCharged(live.gateway, await call({ key: apiKey }), 20);
      live.stub.reset();
      await expectRefused(call({ key: apiKey }), 402, 'API_KEY_USD_SPEND_LIMIT_EXCEEDED');
      expectCharged(live.gateway, await call(rich), 20);
    });

    test('a usd limit counts bundled credits as well', async () => {
      const bundled = await live.gateway.operator.createCaller({ usd: '0', bundled: usdOf(1_000) });
      const { apiKey } = await live.gateway.operator.createKey(
        bundled.accountId,
        '--limit-usd',
        usdOf(20),
        '--limit-period',
        'MONTH',
      );
      expectCharged(live.gateway, await call({ key: apiKey }), 20);
      live.stub.reset();
      await expectRefused(call({ key: apiKey }), 402, 'API_KEY_USD_SPEND_LIMIT_EXCEEDED');
    });

    test('parallel calls cannot exceed it together', async () => {
      const { apiKey } = await live.gateway.operator.createKey(rich.accountId, '--limit-usd', usdOf(60));
      const answers = await Promise.all(Array.from({ length: 12 }, () => call({ key: apiKey })));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(3).fill(200),
        ...Array<number>(9).fill(402),
      ]);
    });
  },
);

at('fast', 'postgres').test('a Bearer key that has expired is 401', async () => {
  await until(() => Date.now() > shortLived.expiresAt, 10_000);
  await expectRefused(call({ key: shortLived.apiKey }), 401, 'API_KEY_EXPIRED');
});
