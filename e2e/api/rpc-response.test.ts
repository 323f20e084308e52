/**
 * @at next: Next's own server writes answers, up to megabytes, and their headers.
 * @not postgres: only replayed answers come from the database: see rpc-idempotency.test.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { answerOfEach, errorOfEach, resultOfEach } from './harness/stub-upstream';

/** spec, "JSON-RPC response item", and the response headers of POST /crypto/rpc/{network}. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const call = (body: unknown) => live.gateway.rpc(body, { as: caller });
const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };

describe('shape', () => {
  test('the response is an object for a single request', async () => {
    expect((await call(chainId)).json).toEqual({ jsonrpc: '2.0', id: 1, result: '0x2a' });
  });

  test('the response is an array for a batch, also of one item', async () => {
    expect((await call([chainId])).json).toEqual([{ jsonrpc: '2.0', id: 1, result: '0x2a' }]);
  });

  test.each([
    ['HTML', { 'content-type': 'text/html' }],
    ['plain text of another encoding', { 'content-type': 'text/plain; charset=iso-8859-1' }],
    ['nothing', {}],
  ])('Content-Type is always application/json, whatever the upstream sent: %s', async (_what, headers) => {
    live.stub.answer(({ items }) => ({ headers, body: `{"jsonrpc":"2.0","id":${String(items[0]?.id)},"result":1}` }));
    const answer = await call(chainId);
    expectCharged(live.gateway, answer, 20);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test('no header of the upstream reaches the caller', async () => {
    live.stub.answer(({ items }) => ({
      headers: {
        'content-type': 'application/json',
        'set-cookie': 'node=1',
        'x-upstream': 'secret',
        'x-ratelimit-limit': '1',
        'idempotent-replayed': 'true',
      },
      body: `{"jsonrpc":"2.0","id":${String(items[0]?.id)},"result":1}`,
    }));
    const { headers } = await call(chainId);
    for (const name of ['set-cookie', 'x-upstream', 'x-ratelimit-limit', 'idempotent-replayed'])
      expect(headers[name]).toBeUndefined();
  });
});

describe('result: any, present on success; method-dependent', () => {
  test.each([
    ['an integer beyond 2^53, digit by digit', '12345678901234567890123456789012345678901234567890'],
    ['fractions and exponents as they are written', '[-0,1.0,1.50,1e3,1E-7]'],
    ['escaped strings as they are written', String.raw`"\u00e9\n\"\\\/\ud83d\ude00"`],
    ['unicode', '"é😀漢字\u2028"'],
    ['an object with a repeated key', '{"a":1,"a":2,"__proto__":3}'],
    ['white space', '{ "a" : [ 1 , 2 ] }'],
    ['null', 'null'],
    ['false', 'false'],
    ['an empty string', '""'],
    [
      'an object with members named like those of the response',
      '{"id":9,"error":{"code":1,"message":"no"},"jsonrpc":"1.0"}',
    ],
    ['strings that look like the end of the response', String.raw`"},\"error\":{\"code\":1}"`],
    ['deep nesting', `${'['.repeat(2_000)}${']'.repeat(2_000)}`],
  ])('passed on exactly: %s', async (_what, result) => {
    live.stub.answer(resultOfEach(result));
    const answer = await call(chainId);
    expectCharged(live.gateway, answer, 20);
    expect(answer.text.replace(/^\{"jsonrpc":"2\.0","id":1,"result":/, '')).toBe(`${result}}`);
  });

  test('passed on exactly: an answer of 5 MB', async () => {
    const result = `["${'é'.repeat(1_000_000)}",${'12345678901234567890,'.repeat(150_000)}null]`;
    live.stub.answer(resultOfEach(result));
    const answer = await call(chainId);
    expectCharged(live.gateway, answer, 20);
    expect(answer.text.endsWith(`"result":${result}}`)).toBe(true);
  });

  test('passed on exactly in a batch', async () => {
    const results = ['12345678901234567890', '{"a":1,"a":2}', '"\\u0041"'];
    live.stub.answer(answerOfEach((_item, index) => `"result":${results[index]}`));
    const answer = await call([
      { ...chainId, id: 'a' },
      { ...chainId, id: 'b' },
      { ...chainId, id: 'c' },
    ]);
    expect(answer.text).toBe(
      `[${results.map((result, index) => `{"jsonrpc":"2.0","id":"${'abc'[index]}","result":${result}}`).join(',')}]`,
    );
  });

  test('a result beside an error of null is a success', async () => {
    live.stub.answer(answerOfEach(() => '"error":null,"result":"0x1"'));
    const answer = await call(chainId);
    expectCharged(live.gateway, answer, 20);
    expect(answer.json).toMatchObject({ result: '0x1' });
  });
});

describe('error: object with code and message, data optional, present on per-item failure; the HTTP status stays 200', () => {
  test.each([
    ['code and message', '{"code":-32602,"message":"invalid argument 0"}'],
    ['data', '{"code":3,"message":"execution reverted: é","data":"0x08c379a0"}'],
    ['data of any kind, digit by digit', '{"code":-32000,"message":"m","data":{"n":12345678901234567890,"n":1.0}}'],
  ])('passed on exactly: %s', async (_what, error) => {
    live.stub.answer(errorOfEach(error));
    const answer = await call(chainId);
    expectCharged(live.gateway, answer, 5);
    expect(answer.text).toBe(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
  });

  test('a batch holds errors and results side by side', async () => {
    live.stub.answer(
      answerOfEach((_item, index) => (index === 1 ? '"error":{"code":-32601,"message":"not here"}' : '"result":1')),
    );
    const answer = await call([
      { ...chainId, id: 1 },
      { ...chainId, id: 2 },
      { ...chainId, id: 3 },
    ]);
    expectCharged(live.gateway, answer, 45);
    expect(answer.json).toEqual([
      { jsonrpc: '2.0', id: 1, result: 1 },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'not here' } },
      { jsonrpc: '2.0', id: 3, result: 1 },
    ]);
  });
});

describe('response headers of a success', () => {
  test('X-Service-RPC-Credits: integer; X-Service-RPC-Cost-USD: to 8 decimal places, equal to credits times the price per credit', async () => {
    const { headers } = await call(chainId);
    expect(headers['x-service-rpc-credits']).toBe('20');
    expect(headers['x-service-rpc-cost-usd']).toBe('0.00001400');
  });

  test('for a batch the sum over items', async () => {
    const { headers } = await call([chainId, chainId, { ...chainId, method: 'debug_traceCall' }]);
    expect(headers['x-service-rpc-credits']).toBe('80');
    expect(headers['x-service-rpc-cost-usd']).toBe('0.00005600');
  });

  test('Idempotent-Replayed: present only when served from the idempotency cache', async () => {
    expect((await call(chainId)).headers['idempotent-replayed']).toBeUndefined();
  });

  test('X-Balance-Remaining: present only under x402 authentication', async () => {
    expect((await call(chainId)).headers['x-balance-remaining']).toBeUndefined();
  });

  test('X-Service-Profile is absent in live', async () => {
    expect((await call(chainId)).headers['x-service-profile']).toBeUndefined();
  });
});
