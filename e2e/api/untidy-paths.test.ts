/**
 * @at next: Next redirects and decodes paths by its own rules.
 * @not postgres: routing happens before any access to the database.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { exchange } from './harness/http-exchange';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';

/**
 * Coding agents join base URL and path in various ways. Their endpoints answer such paths, with the usual permissions.
 * No other path accepts them.
 */

const MODEL = 'org/plain';
let upstream: ScriptedUpstream;
let gateway: GatewayUnderTest;
let key: string;
beforeAll(async () => {
  upstream = await startScriptedUpstream([
    { id: MODEL, object: 'model', created: 1, owned_by: 'test', context_length: 4_096 },
  ]);
  gateway = await startGateway({
    profile: 'live',
    config: { inference: { chatUpstreams: [{ name: 'test', url: upstream.url }] } },
  });
  ({ key } = await gateway.operator.createCaller({ usd: '5' }));
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  upstream?.close();
});

const ask = (
  method: string,
  path: string,
  { as = key as string | null, body = undefined as object | undefined } = {},
) =>
  exchange(gateway.port, {
    method,
    path,
    headers: { 'content-type': 'application/json', ...(as !== null && { authorization: `Bearer ${as}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const MESSAGE = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };

describe('an untidy path reaches the endpoint that it means', () => {
  test.each([
    ['/api/v1/messages/', MESSAGE],
    ['/api//v1/messages', MESSAGE],
    ['//api/v1//messages?beta=true', MESSAGE],
    ['/v1/messages', MESSAGE],
    ['//v1/messages', MESSAGE],
    ['/v1/messages/count_tokens?beta=true', MESSAGE],
    ['/api/v1//messages/count_tokens/', MESSAGE],
    ['//v1/responses', { model: MODEL, input: 'Hi' }],
    ['/api/v1//responses', { model: MODEL, input: 'Hi' }],
    ['/api/v1//chat/completions', { model: MODEL, messages: MESSAGE.messages }],
    ['/api/v1/chat/completions/', { model: MODEL, messages: MESSAGE.messages }],
  ])('POST %s', async (path, body) => {
    expect((await ask('POST', path, { body })).status).toBe(200);
    expect((await ask('POST', path, { body, as: 'tpk_unknown' })).status).toBe(401);
    expect([401, 402]).toContain((await ask('POST', path, { body, as: null })).status);
    expect((await ask('GET', path)).status).toBe(405);
  });

  test.each([
    '/api/v1/models/org%2Fplain',
    '/api/v1/models/org/plain',
    '/api/v1/models/org/plain/',
    '/api/v1//models/org%2fplain',
    '/v1/models/org/plain',
    '//v1/models/org%2Fplain',
  ])('GET %s', async (path) => {
    const answer = await ask('GET', path);
    expect([answer.status, answer.json]).toMatchObject([200, { id: MODEL }]);
    expect((await ask('GET', path, { as: 'tpk_unknown' })).status).toBe(401);
  });

  test.each(['/', '/api', '/api/', '/v1', '/v1/', '/api/v1', '/api/v1/'])('HEAD %s', async (path) => {
    const { status, text } = await ask('HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('nothing else is reached so', () => {
  test.each([
    '/api/v1//billing/balance',
    '//api/v1/api_keys',
    '/v1/api_keys',
    '/api//v1/crypto/rpc/ethereum-mainnet',
    '/v1/x402/top-up',
    '//v1/models',
    '/api/v1/models/..%2fbilling%2fbalance',
    '/api/v1/models/../billing/balance',
    '/v1/models/%2e%2e/billing/balance',
    '/api/v1/./messages',
    '/v1/x/../messages',
    '/api/v1/%6dessages',
    '/API/v1/messages',
    '/api/v1/messages;x',
    '//rpc',
    '//keys',
    '/api//health',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, text } = await ask(method, path, { body: method === 'POST' ? MESSAGE : undefined });
      expect([400, 404, 405], `${method} ${path}: ${text.slice(0, 200)}`).toContain(status);
      expect(text).not.toContain('<html');
      expect(text).not.toContain('canConsume');
    }
  });
});
