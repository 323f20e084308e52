/**
 * @not next: pay-on-call.test.ts pays each endpoint through Next's own server.
 * @not postgres: pay-on-call.test.ts and rpc-callers.test.ts use the same ways to pay there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';
import { WAYS_TO_PAY, type WaysToPay, waysToPay } from './harness/ways-to-pay';

/** Every paid endpoint, paid in every way. */

const messages = [{ role: 'user', content: 'What is a stake?' }];
const picture = { model: 'stand-in-image', prompt: 'A road' };

/** Small request of each paid endpoint, and the start of its answer's media type. */
const REQUESTS: Record<string, { path?: string; body: object; media?: string }> = {
  '/crypto/rpc/{network}': {
    path: '/crypto/rpc/ethereum-mainnet',
    body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
  },
  '/chat/completions': { body: { model: 'guide', max_tokens: 64, messages } },
  '/messages': { body: { model: 'guide', max_tokens: 64, messages } },
  '/responses': { body: { model: 'guide', max_output_tokens: 64, input: 'What is a stake?' } },
  '/audio/speech': { body: { input: 'One.', response_format: 'wav' }, media: 'audio/' },
  '/embeddings': { body: { model: 'stand-in-embedding', input: 'One.' } },
  '/images/generations': { body: { ...picture, size: '512x512' } },
  '/image/generate': { body: { ...picture, width: 512, height: 512 } },
  '/video/queue': { body: { model: 'stand-in-video', prompt: 'A road', duration: '5s' } },
};

/** Needs a file and a model server. `transcriptions.test.ts` pays it in every way. */
const ELSEWHERE = ['/audio/transcriptions'];

let gateway: GatewayUnderTest;
let ways: WaysToPay;
beforeAll(async () => {
  const started = await startSandboxGateway();
  ({ gateway } = started);
  ways = await waysToPay(gateway, started.sandbox);
}, 120_000);
afterAll(() => gateway?.stop());

test('the endpoints of this list are those that the API description sells', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' });
  const { paths } = json as { paths: Record<string, { post?: { 'x-payment-info'?: unknown } }> };
  const sold = Object.keys(paths).filter((path) => paths[path]?.post?.['x-payment-info'] !== undefined);
  expect(sold.sort()).toEqual([...Object.keys(REQUESTS), ...ELSEWHERE].sort());
});

describe.each(WAYS_TO_PAY)('paid by %s', (way) => {
  test.each(Object.entries(REQUESTS))('%s answers, and its charge is in the ledger', async (name, request) => {
    const { path = name, body, media = 'application/json' } = request;
    const { headers, fetch: paidFetch } = ways[way];
    const response = await paidFetch(`${gateway.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const bytes = await response.arrayBuffer();
    expect([response.status, response.headers.get('content-type')?.startsWith(media)]).toEqual([200, true]);
    expect(bytes.byteLength).toBeGreaterThan(10);
    expect(response.headers.get('payment-response') !== null).toBe(way === 'payment');
    expect(response.headers.get('x-balance-remaining') !== null).toBe(way !== 'key');
    const requestId = response.headers.get('x-request-id');
    const charges = gateway.books.charges().filter((charge) => charge.requestId === requestId);
    expect(charges.map(({ pot, amount }) => [pot === 'x402', amount > 0])).toEqual([[way !== 'key', true]]);
  });
});
