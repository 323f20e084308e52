/**
 * @not next: calls wait behind the adapter. `chat-disconnects.test.ts` tests disconnects through Next.
 * @not postgres: refused calls are released like other failed calls.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { completionText } from '@/test/scripted-model';
import { until } from '@/test/until';
import { freePort } from './harness/free-port';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { type Answer, exchange } from './harness/http-exchange';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';

/** Callers share a model server: no caller takes all its slots, waiting calls take turns, and a long queue is refused. */

const WIDE = 64;
const PRICES = { inputUsdPerMillionTokens: '1', outputUsdPerMillionTokens: '2' };
const OWNED_NANO_USD = 50_000_000;
let wide: ScriptedUpstream;
let narrow: ScriptedUpstream;
let metricsPort: number;
let gateway: GatewayUnderTest;
let alice: Caller;
let bob: Caller;
/** Running requests of both servers, by request text. */
const open = new Map<string, ServerResponse>();

const listed = (id: string) => [{ id, object: 'model', created: 1, owned_by: 'test', context_length: 4_096 }];

beforeAll(async () => {
  [wide, narrow] = await Promise.all([startScriptedUpstream(listed('wide')), startScriptedUpstream(listed('narrow'))]);
  const small = { name: 'narrow', url: narrow.url, maxConcurrentRequests: 1 };
  metricsPort = await freePort();
  gateway = await startGateway({
    profile: 'live',
    env: { ADMIN_PORT: String(metricsPort) },
    config: {
      inference: {
        chatUpstreams: [{ name: 'wide', url: wide.url, maxConcurrentRequests: WIDE }, small],
        prices: PRICES,
      },
      embeddings: { upstreams: [small], models: { vectors: { usdPerMillionTokens: '1' } } },
    },
  });
  [alice, bob] = (await gateway.operator.createCallers(2, { usd: '0.05' })) as [Caller, Caller];
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  wide?.close();
  narrow?.close();
});
beforeEach(() => {
  for (const server of [wide, narrow]) {
    server.asked.length = 0;
    server.script = ({ body }, response) => void open.set(textOf(body), response);
  }
});

/** Cleans up after a failed test. */
afterEach(() => {
  for (const response of open.values()) response.destroy();
  open.clear();
});

const textOf = (body: string): string => {
  const { messages, input } = JSON.parse(body) as { messages?: { content: string }[]; input?: string };
  return messages?.[0]?.content ?? input ?? '';
};
const bodyOf = (model: string, content: string, more: object = {}) =>
  JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content }], ...more });
const headersOf = ({ key }: Caller) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const chat = (model: string, content: string, caller: Caller, more: object = {}): Promise<Answer> =>
  gateway.ask({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: headersOf(caller),
    body: bodyOf(model, content, more),
  });
const answer = (content: string): void => {
  open.get(content)?.setHeader('content-type', 'application/json').end(completionText('Hello.'));
  open.delete(content);
};
const askedTexts = (server: ScriptedUpstream) => server.asked.map(({ body }) => textOf(body));
const statuses = async (answers: readonly Promise<Answer>[]) =>
  new Set((await Promise.all(answers)).map(({ status }) => status));

/** Returns the callers' requests that run or wait at a server. */
async function countOf(state: 'running' | 'waiting', upstream: string): Promise<number> {
  const { text } = await exchange(metricsPort, { method: 'GET', path: '/metrics' });
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`turnpike_model_requests{service="chat",upstream="${upstream}",state="${state}"}`));
  return Number(line?.split(' ').at(-1));
}

function expectRefused({ status, json, headers }: Answer): void {
  expect([status, json]).toMatchObject([503, { code: 'MODEL_BUSY' }]);
  expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
}

/** Expects that nothing is reserved: a chat that needs nearly the whole balance is not shortened. */
async function expectNothingHeld(caller: Caller): Promise<void> {
  wide.script = (_asked, response) =>
    void response.end(completionText('Hello.', { prompt_tokens: 1, completion_tokens: 1 }));
  const spent = gateway.books.charges(caller.accountId).reduce((sum, { amount }) => sum + amount, 0);
  const tokens = Math.floor((OWNED_NANO_USD - spent) / 2_000 / 16) - 50;
  expect((await chat('wide', 'nearly all', caller, { n: 16, max_tokens: tokens })).status).toBe(200);
  expect(JSON.parse(wide.asked.at(-1)?.body ?? '')).toMatchObject({ max_tokens: tokens });
}

test('while 128 slow chats of one caller run and wait, every chat of another caller is answered', async () => {
  const slow = Array.from({ length: 128 }, (_none, index) => chat('wide', `a${index}`, alice));
  await until(() => wide.asked.length === (WIDE * 3) / 4);
  for (let index = 0; index < 20; index++) {
    const answered = chat('wide', `b${index}`, bob);
    await until(() => open.has(`b${index}`));
    answer(`b${index}`);
    expect((await answered).status).toBe(200);
  }
  expect(askedTexts(wide).filter((text) => text.startsWith('a'))).toHaveLength((WIDE * 3) / 4);
  for (let index = 0; index < 128; index++) {
    const next = askedTexts(wide).filter((text) => text.startsWith('a'))[index] as string;
    answer(next);
    await until(() => wide.asked.length >= Math.min(148, 20 + (WIDE * 3) / 4 + index + 1));
  }
  expect(await statuses(slow)).toEqual(new Set([200]));
});

describe('a server that runs one request at a time', () => {
  test('takes waiting chats in turns, and a chat beyond the queue is 503 with Retry-After, uncharged and not asked', async () => {
    const charges = gateway.books.count();
    const running = [chat('narrow', 'a0', alice)];
    await until(() => narrow.asked.length === 1);
    running.push(...[1, 2, 3, 4].map((index) => chat('narrow', `a${index}`, alice)));
    await until(async () => (await countOf('waiting', 'narrow')) === 4);
    expectRefused(await chat('narrow', 'refused', alice));
    expectRefused(await chat('narrow', 'refused', alice, { stream: true }));
    running.push(chat('narrow', 'b0', bob));
    await until(async () => (await countOf('waiting', 'narrow')) === 5);
    expect(gateway.books.count()).toBe(charges);
    for (let count = 1; count <= 6; count++) {
      await until(() => narrow.asked.length === count);
      answer(askedTexts(narrow).at(-1) as string);
    }
    expect(await statuses(running)).toEqual(new Set([200]));
    const order = askedTexts(narrow);
    expect([order[0], order.indexOf('b0') <= 2, order.length]).toEqual(['a0', true, 6]);
    expect(gateway.books.count()).toBe(charges + 6);
    await expectNothingHeld(alice);
  });

  test('embeddings beyond its queue are 503 with Retry-After and uncharged; the others are answered', async () => {
    const charges = gateway.books.count();
    const embed = (input: string) =>
      gateway.ask({
        method: 'POST',
        path: '/api/v1/embeddings',
        headers: headersOf(alice),
        body: JSON.stringify({ model: 'vectors', input }),
      });
    const running = ['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6'].map(embed);
    const refused = running.map((each) => each.then(({ status }) => status === 503));
    await until(() => open.has(askedTexts(narrow)[0] ?? ''));
    await Promise.race(refused);
    for (let count = 1; count <= 5; count++) {
      await until(() => narrow.asked.length === count);
      const data = [{ index: 0, embedding: [0.5] }];
      open.get(askedTexts(narrow).at(-1) as string)?.end(JSON.stringify({ data, usage: { prompt_tokens: 1 } }));
    }
    const answers = await Promise.all(running);
    const busy = answers.filter(({ status }) => status !== 200);
    for (const each of busy) expectRefused(each);
    expect([busy.length, gateway.books.count() - charges]).toEqual([2, 5]);
  });
});
