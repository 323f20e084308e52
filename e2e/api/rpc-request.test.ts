/**
 * @at next: Next's own server reads bodies, which must stay unchanged.
 * @not postgres: requests to upstreams do not depend on the database.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';

/** spec, "JSON-RPC request item": accepted items, and the parts that reach the node. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const call = (body: unknown, network?: string) =>
  live.gateway.rpc(body, network === undefined ? { as: caller } : { as: caller, network });

/** Returns the text of `params` that reached the node. */
function forwardedParams(): string {
  const text = live.stub.request.text;
  const at = text.indexOf('"params":');
  return at < 0 ? '' : text.slice(at + '"params":'.length);
}

describe('jsonrpc: string, not required, only value 2.0', () => {
  test('accepted with the value 2.0', async () => {
    expectCharged(live.gateway, await call('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'), 20);
  });

  test('accepted without', async () => {
    expectCharged(live.gateway, await call('{"id":1,"method":"eth_chainId"}'), 20);
  });

  test('the node gets JSON-RPC 2.0 whether or not the caller wrote it', async () => {
    await call('{"id":1,"method":"eth_chainId"}');
    expect(JSON.parse(live.stub.request.text)).toMatchObject({ jsonrpc: '2.0', method: 'eth_chainId' });
  });
});

describe('params: array of any, not required, method-specific', () => {
  test('absent: the node gets none', async () => {
    await call({ id: 1, method: 'eth_blockNumber' });
    expect(live.stub.request.items[0]?.params ?? []).toEqual([]);
  });

  test.each([
    ['integers beyond 2^53', '[12345678901234567890123456789012345678901234567890]'],
    ['negative zero, fractions and exponents as they are written', '[-0,1.0,1.50,1e3,1E-7]'],
    ['escaped strings as they are written', String.raw`["\u00e9\n\"\\\/\ud83d\ude00"]`],
    ['unicode', '["é😀漢字\u2028"]'],
    ['objects with a repeated key', '[{"to":"0x1","to":"0x2"}]'],
    ['a member __proto__', '[{"__proto__":{"to":"0x1"},"constructor":null}]'],
    ['white space', '[ 1 ,\n\t{ "a" : [ ] } ]'],
    ['members named like those of the item', '[{"id":7,"method":"eth_accounts","params":[8]}]'],
    ['strings that look like the end of the item', String.raw`["}],\"id\":9,\"method\":\"eth_accounts\""]`],
    ['nesting of 100', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('forwarded exactly: %s', async (_what, params) => {
    expectCharged(live.gateway, await call(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${params}}`), 20);
    expect(forwardedParams().startsWith(params)).toBe(true);
  });

  test('forwarded exactly: a megabyte', async () => {
    const params = `["0x${'ab'.repeat(500_000)}"]`;
    expectCharged(live.gateway, await call(`{"id":1,"method":"eth_sendRawTransaction","params":${params}}`), 20);
    expect(forwardedParams().startsWith(params)).toBe(true);
  });

  test('forwarded exactly in a batch, each to its own item', async () => {
    const texts = ['[1,12345678901234567890]', '[{"a":1,"a":2}]', '["\\u0041"]'];
    await call(
      `[${texts.map((params, index) => `{"id":${index},"params":${params},"method":"eth_call"}`).join(' , ')}]`,
    );
    const positions = texts.map((params) => live.stub.request.text.indexOf(`"params":${params}`));
    expect(positions.every((position, index) => position > (positions[index - 1] ?? -1))).toBe(true);
  });

  test('an object of named parameters is forwarded as it is on Starknet', async () => {
    const params = '{"block_id":"latest","n":12345678901234567890}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"starknet_getBlockWithTxs","params":${params}}`;
    expectCharged(live.gateway, await call(body, 'starknet-mainnet'), 20);
    expect(forwardedParams().startsWith(params)).toBe(true);
  });
});

describe('the item is read as JSON says', () => {
  test('escaped member names are the names they spell', async () => {
    const answer = await call(String.raw`{"\u0069d":7,"meth\u006fd":"eth_call","p\u0061rams":[1,2]}`);
    expectCharged(live.gateway, answer, 20);
    expect(answer.json).toMatchObject({ id: 7 });
    expect(live.stub.request.items[0]).toMatchObject({ method: 'eth_call', params: [1, 2] });
  });

  test('an escaped method name is the name it spells', async () => {
    expectCharged(live.gateway, await call(String.raw`{"id":1,"method":"debug_\u0074raceCall"}`), 40);
    expect(live.stub.request.items[0]?.method).toBe('debug_traceCall');
  });

  test('of repeated members the last counts, for the price as for the node', async () => {
    const answer = await call('{"id":1,"method":"eth_call","params":[1],"method":"trace_block","params":[2],"id":3}');
    expectCharged(live.gateway, answer, 40);
    expect(answer.json).toMatchObject({ id: 3 });
    expect(live.stub.request.items).toMatchObject([{ method: 'trace_block', params: [2] }]);
    expect(live.stub.request.text).not.toContain('eth_call');
  });

  test('a refused method cannot hide behind a repeated member', async () => {
    const answer = await call(String.raw`{"id":1,"method":"eth_call","\u006dethod":"eth_accounts"}`);
    expect(answer.status).toBe(400);
    expect(live.stub.requests).toHaveLength(0);
  });

  test('unknown members are ignored', async () => {
    expectCharged(
      live.gateway,
      await call('{"id":1,"method":"eth_chainId","extra":{"method":"eth_accounts"},"__proto__":{"id":2}}'),
      20,
    );
    expect(live.stub.request.text).not.toContain('eth_accounts');
  });

  test('white space around the item is ignored', async () => {
    expectCharged(live.gateway, await call(' \r\n\t{"id":1,"method":"eth_chainId"}\n '), 20);
  });
});

describe('the body is either one such object or an array of at most 100 of them', () => {
  test.each([1, 2, 100])('an array of %i is forwarded at once, every item of it', async (size) => {
    const answer = await call(Array.from({ length: size }, (_none, id) => ({ id, method: 'eth_chainId' })));
    expectCharged(live.gateway, answer, 20 * size);
    expect(live.stub.request.items).toHaveLength(size);
  });

  test('an object is forwarded as one object', async () => {
    await call({ id: 1, method: 'eth_chainId' });
    expect(live.stub.request).toMatchObject({ batch: false });
  });
});

describe('what the node is told of the caller', () => {
  test('nothing: neither the key, nor where it comes from, nor the Idempotency-Key', async () => {
    await live.gateway.rpc(
      { id: 1, method: 'eth_chainId' },
      { as: caller, headers: { 'idempotency-key': 'told-to-nobody', 'x-forwarded-for': '10.1.2.3', cookie: 'a=b' } },
    );
    const told = JSON.stringify(live.stub.request.headers);
    for (const secret of [caller.key, 'told-to-nobody', '10.1.2.3', 'a=b']) expect(told).not.toContain(secret);
  });

  test('an upstream given by environment alone is the one that is asked', async () => {
    await call({ id: 1, method: 'eth_chainId' });
    expect(live.stub.request.network).toBe('ethereum-mainnet');
  });

  test('each network is asked at its own upstream', async () => {
    for (const network of ['base-mainnet', 'bsc-testnet', 'polygon-amoy']) {
      live.stub.reset();
      await call({ id: 1, method: 'eth_chainId' }, network);
      expect(live.stub.request.network).toBe(network);
    }
  });
});

test('null params count as absent, in a batch too', async () => {
  expectCharged(live.gateway, await call('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":null}'), 20);
  expect(forwardedParams()).toMatch(/^\[\]/);
  expectCharged(
    live.gateway,
    await call('[{"id":1,"method":"eth_chainId","params":null},{"id":2,"method":"eth_blockNumber","params": null }]'),
    40,
  );
});

describe('an unknown network is answered with the nearest slugs', () => {
  test.each([
    ['polygon', 'polygon-mainnet'],
    ['base', 'base-mainnet'],
    ['8453', 'base-mainnet'],
    ['eth', 'ethereum-mainnet'],
    ['etherum-mainnet', 'ethereum-mainnet'],
    ['Base-Mainnet', 'base-mainnet'],
  ])('%s: %s', async (asked, slug) => {
    const answer = await call('{"id":1,"method":"eth_chainId"}', asked);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code: 'UNSUPPORTED_NETWORK',
      error: expect.stringMatching(new RegExp(`Did you mean ${slug}\\b`)) as string,
    });
  });
});

test.each(['pm_sponsorUserOperation', 'ots_hasCode'])(
  '%s, which some nodes have, is refused by name with what its operator can do',
  async (method) => {
    const answer = await call(JSON.stringify({ id: 1, method }));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code: 'UNSUPPORTED_METHOD',
      error: expect.stringContaining(method) as string,
      hint: expect.stringContaining('rpc.extraMethods') as string,
    });
  },
);
