/**
 * @not next: one-spelling.test.ts checks through Next which address a limit counts.
 * @at postgres: the database counts rolling caps and running calls.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { errorOfEach } from './harness/stub-upstream';
import { until } from '@/test/until';

/**
 * spec, "Limits" and the 429 of "Errors". The caps per minute are the gateway's defaults. For the rolling credit cap,
 * the configuration gives the paid tier a small cap.
 */

const CREDIT_CAP = 100;

let live: LiveGateway;
/** Callers without calls so far. */
let standard: Caller[];
let paid: Caller[];

beforeAll(async () => {
  live = await startLiveGateway({ limits: { rpcCreditsPerDay: { paid: CREDIT_CAP } } });
  const { operator } = live.gateway;
  // Adds money, which makes the caller's tier "paid".
  [standard, paid] = await Promise.all([
    operator.createCallers(8, { tier: 'standard', usd: '0', bundled: '1' }),
    operator.createCallers(6, { tier: 'paid' }),
  ]);
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

/** Public paths besides the list of networks. */
const PUBLIC = [
  ['GET', '/api/v1/api_keys/generate_web3_key'],
  ['POST', '/api/v1/api_keys/generate_web3_key'],
  ['POST', '/api/v1/x402/top-up'],
] as const;

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
const call = (as: Pick<Caller, 'key'>, body: unknown = chainId, headers = {}) =>
  live.gateway.rpc(body, { as, headers });

function fresh(callers: Caller[]): Caller {
  const caller = callers.pop();
  if (!caller) throw new Error('More callers are needed.');
  return caller;
}

/** Expects 429 that names the cap, with its X-RateLimit-* headers, no charge and no upstream call. */
async function expectCapped(
  ask: () => Promise<Answer>,
  { limit, customMessage }: { limit: number; customMessage: RegExp },
): Promise<Answer> {
  const [charges, requests] = [live.gateway.books.count(), live.stub.requests.length];
  const now = Date.now() / 1000;
  const answer = await ask();
  expect(answer.status, answer.text).toBe(429);
  expect(answer.json).toMatchObject({ error: expect.any(String), customMessage: expect.stringMatching(customMessage) });
  expect(answer.headers['x-ratelimit-limit']).toBe(String(limit));
  expect(Number(answer.headers['x-ratelimit-remaining'])).toBeLessThan(limit);
  expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(Math.floor(now));
  expect(live.gateway.books.count()).toBe(charges);
  expect(live.stub.requests).toHaveLength(requests);
  return answer;
}

async function callTimes(count: number, as: Pick<Caller, 'key'>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 25) {
    const answers = await Promise.all(Array.from({ length: Math.min(25, count - sent) }, () => call(as)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

describe('requests per minute per caller', () => {
  test('100 (standard tier): parallel calls within it are all answered, the next is 429', async () => {
    const caller = fresh(standard);
    expect(await callTimes(100, caller)).toEqual(Array<number>(100).fill(200));
    const { headers } = await expectCapped(() => call(caller), { limit: 100, customMessage: /minute/i });
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(Date.now() / 1000 + 61);
  });

  test('limits are per caller, not per key; another caller is not concerned', async () => {
    const [caller, other] = [fresh(standard), fresh(standard)];
    const second = await live.gateway.operator.createKey(caller.accountId);
    expect(await callTimes(60, caller)).toEqual(Array<number>(60).fill(200));
    expect(await callTimes(40, { key: second.apiKey })).toEqual(Array<number>(40).fill(200));
    await expectCapped(() => call({ key: second.apiKey }), { limit: 100, customMessage: /minute/i });
    expect((await call(other)).status).toBe(200);
  });

  test('a batch is one request toward the minute cap', async () => {
    const caller = fresh(standard);
    const batch = Array.from({ length: 100 }, (_none, id) => ({ ...chainId, id }));
    expectCharged(live.gateway, await call(caller, batch), 2_000);
    expect(await callTimes(99, caller)).toEqual(Array<number>(99).fill(200));
    await expectCapped(() => call(caller), { limit: 100, customMessage: /minute/i });
  });

  test('a replay counts toward the minute cap', async () => {
    const caller = fresh(standard);
    const replay = () => call(caller, chainId, { 'idempotency-key': 'counted' });
    expect((await replay()).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await replay()).headers['idempotent-replayed']).toBe('true');
    expect(await callTimes(95, caller)).toEqual(Array<number>(95).fill(200));
    await expectCapped(replay, { limit: 100, customMessage: /minute/i });
  });

  test('1000 (staff tier)', async () => {
    const caller = await live.gateway.operator.createCaller({ tier: 'staff' });
    const statuses = await callTimes(1_000, caller);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
    await expectCapped(() => call(caller), { limit: 1_000, customMessage: /minute/i });
  });
});

describe('credits per rolling 24 hours', () => {
  test('the defaults: 100 a minute for standard and paid, 1000 for staff, 10,000,000 credits', async () => {
    const checked = await live.gateway.operator.run<{
      limits: { rpcRequestsPerMinute: object; rpcCreditsPerDay: object };
    }>('config check');
    expect(checked.limits.rpcRequestsPerMinute).toEqual({ standard: 100, paid: 100, staff: 1_000 });
    expect(checked.limits.rpcCreditsPerDay).toMatchObject({ standard: 10_000_000, paid: CREDIT_CAP });
  });

  test('what would exceed the cap is 429; what still fits is answered', async () => {
    const caller = fresh(paid);
    expectCharged(live.gateway, await call(caller, [chainId, { ...chainId, method: 'debug_traceCall' }]), 60);
    const { headers } = await expectCapped(() => call(caller, { ...chainId, method: 'txpool_content' }), {
      limit: CREDIT_CAP,
      customMessage: /24.hour/i,
    });
    expect(headers['x-ratelimit-remaining']).toBe('40');
    for (let i = 0; i < 2; i++) expectCharged(live.gateway, await call(caller), 20);
    await expectCapped(() => call(caller), { limit: CREDIT_CAP, customMessage: /24.hour/i });
  });

  test('counts what was charged: an error is 5 credits', async () => {
    const caller = fresh(paid);
    live.stub.answer(errorOfEach());
    for (let i = 0; i < 12; i++) expectCharged(live.gateway, await call(caller), 5);
    live.stub.reset();
    for (let i = 0; i < 2; i++) expectCharged(live.gateway, await call(caller), 20);
    await expectCapped(() => call(caller), { limit: CREDIT_CAP, customMessage: /24.hour/i });
  });

  test('a replay charges no new credits, and is answered when the cap is reached', async () => {
    const caller = fresh(paid);
    const body = [chainId, { ...chainId, method: 'txpool_content' }];
    expectCharged(live.gateway, await call(caller, body, { 'idempotency-key': 'once' }), CREDIT_CAP);
    await expectCapped(() => call(caller), { limit: CREDIT_CAP, customMessage: /24.hour/i });
    expect((await call(caller, body, { 'idempotency-key': 'once' })).headers['idempotent-replayed']).toBe('true');
  });

  test('parallel calls cannot exceed the cap together', async () => {
    const caller = fresh(paid);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(caller)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CREDIT_CAP / 20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - CREDIT_CAP / 20);
  });

  test('credits of a call whose upstream failed are free again', async () => {
    const caller = fresh(paid);
    live.stub.answer(() => ({ status: 500 }));
    const wholeCap = Array.from({ length: CREDIT_CAP / 20 }, (_none, id) => ({ ...chainId, id }));
    expect((await call(caller, wholeCap)).status).toBe(500);
    live.stub.reset();
    expectCharged(live.gateway, await call(caller, wholeCap), CREDIT_CAP);
  });
});

describe('parallel calls of one caller are normal and must not collide', () => {
  test('64 that run at the same time are all answered', async () => {
    const caller = fresh(standard);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    live.stub.answer(async ({ items }) => {
      await held;
      return `{"jsonrpc":"2.0","id":${String(items[0]?.id)},"result":1}`;
    });
    const running = Promise.all(
      Array.from({ length: 64 }, (_none, index) => call(caller, { id: 1, method: 'eth_call', params: [index] })),
    );
    await until(() => live.stub.requests.length === 64);
    release();
    expect((await running).map(({ status }) => status)).toEqual(Array<number>(64).fill(200));
  });
});

describe('endpoints that need no credential are limited by client IP: 30 a minute', () => {
  test('the next is 429, whatever X-Forwarded-For the client writes; the proxy itself is not concerned', async () => {
    const list = (forwardedFor: string) =>
      live.gateway.ask({
        method: 'GET',
        path: '/api/v1/crypto/rpc/networks',
        headers: { 'x-forwarded-for': forwardedFor },
      });
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await list(`10.0.0.${i}`)).status);
    expect(statuses).toEqual(Array<number>(30).fill(200));
    await expectCapped(() => list('10.0.1.1'), { limit: 30, customMessage: /minute/i });
    const caller = fresh(standard);
    expect((await call(caller)).status).toBe(200);

    // All paths share one limit. A client that used it up at one path is refused at the others.
    for (const [method, path] of PUBLIC) {
      const json = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
      await expectCapped(() => live.gateway.ask({ method, path, ...json }), { limit: 30, customMessage: /minute/i });
    }
  });
});
