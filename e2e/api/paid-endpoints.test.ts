/**
 * @not next: pay-on-call.test.ts pays each endpoint through Next's own server.
 * @not postgres: pay-on-call.test.ts and rpc-callers.test.ts use the same ways to pay on Postgres.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audioFile } from '@/test/audio-files';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';
import { startStubTranscriber, type StubTranscriber, TRANSCRIBER_MODEL } from './harness/stub-transcriber';
import { WAYS_TO_PAY, type WaysToPay, waysToPay, type WayToPay } from './harness/ways-to-pay';

/** Every paid endpoint, paid in every way. */

const messages = [{ role: 'user', content: 'What is a stake?' }];
const picture = { model: 'stand-in-image', prompt: 'A road' };

/** Small request of each paid endpoint, and the start of its answer's media type. */
const REQUESTS: Record<string, { path?: string; body: object; media?: string; file?: () => Promise<Uint8Array> }> = {
  '/crypto/rpc/{network}': {
    path: '/crypto/rpc/ethereum-mainnet',
    body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
  },
  '/chat/completions': { body: { model: 'guide', max_tokens: 64, messages } },
  '/messages': { body: { model: 'guide', max_tokens: 64, messages } },
  '/responses': { body: { model: 'guide', max_output_tokens: 64, input: 'What is a stake?' } },
  '/audio/speech': { body: { input: 'One.', response_format: 'wav' }, media: 'audio/' },
  '/audio/transcriptions': { body: { model: TRANSCRIBER_MODEL }, file: () => audioFile('wav', 2) },
  '/embeddings': { body: { model: 'stand-in-embedding', input: 'One.' } },
  '/images/generations': { body: { ...picture, size: '512x512' } },
  '/image/generate': { body: { ...picture, width: 512, height: 512 } },
  '/video/queue': { body: { model: 'stand-in-video', prompt: 'A road', duration: '5s' } },
};

let gateway: GatewayUnderTest;
let ways: WaysToPay;
let transcriber: StubTranscriber;
let makeKey: (privacy: string) => Promise<string>;
beforeAll(async () => {
  transcriber = await startStubTranscriber(0.001);
  const started = await startSandboxGateway({ transcriptions: transcriber.transcriptions });
  ({ gateway } = started);
  ways = await waysToPay(gateway, started.sandbox);
  const { accountId } = await gateway.operator.createCaller({ usd: '1' });
  const { apiKey: admin } = await gateway.operator.createKey(accountId, '--type', 'ADMIN');
  makeKey = async (privacy) => {
    const { json } = await gateway.ask({
      method: 'POST',
      path: '/api/v1/api_keys',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: privacy, allow: { privacy } }),
    });
    return (json as { data: { apiKey: string } }).data.apiKey;
  };
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  transcriber?.stop();
});

function formOf(fields: object, file: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([Uint8Array.from(file)]), 'speech.wav');
  return form;
}

test('the endpoints of this list are those that the API description sells', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' });
  const { paths } = json as { paths: Record<string, { post?: { 'x-payment-info'?: unknown } }> };
  const sold = Object.keys(paths).filter((path) => paths[path]?.post?.['x-payment-info'] !== undefined);
  expect(sold.sort()).toEqual(Object.keys(REQUESTS).sort());
});

async function send(name: string, { headers, fetch: paidFetch }: WaysToPay[WayToPay]): Promise<Response> {
  const { path = name, body, file } = REQUESTS[name] as (typeof REQUESTS)[string];
  return paidFetch(`${gateway.url}/api/v1${path}`, {
    method: 'POST',
    headers: { ...(file === undefined && { 'content-type': 'application/json' }), ...headers },
    body: file === undefined ? JSON.stringify(body) : formOf(body, await file()),
  });
}

describe.each(WAYS_TO_PAY)('paid by %s', (way) => {
  test.each(Object.entries(REQUESTS))('%s answers, and its charge is in the ledger', async (name, request) => {
    const { media = 'application/json' } = request;
    const response = await send(name, ways[way]);
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

describe.each(['attested', 'encrypted'])('with a key for calls that are %s', (privacy) => {
  let key: string;
  beforeAll(async () => {
    key = await makeKey(privacy);
  });

  test.each(Object.keys(REQUESTS))('%s is served only if it is a chain', async (name) => {
    const [charged, transcribed] = [gateway.books.count(), transcriber.received.length];
    const response = await send(name, { headers: { authorization: `Bearer ${key}` }, fetch });
    if (name.startsWith('/crypto')) return expect(response.status).toBe(200);
    const text = await response.text();
    expect([response.status, text]).toEqual([403, expect.stringContaining(`only for calls that are ${privacy}`)]);
    expect([gateway.books.count(), transcriber.received.length]).toEqual([charged, transcribed]);
  });
});
