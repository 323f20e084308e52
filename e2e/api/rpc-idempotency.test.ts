/**
 * @at next: the headers for a key and for a replay pass Next's own server. Scope and lifetime of a key are decided
 *   behind the adapter, and not tested there.
 * @at postgres: database functions store, lock and replay answers.
 * @waits: for answers that are late on purpose.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { expectCharged, usdOf } from './harness/credits';
import { expectErrorTree } from './harness/every-answer';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { errorOfEach, resultOfEach } from './harness/stub-upstream';
import { until } from '@/test/until';

/** spec, POST /crypto/rpc/{network}, rule 6, and wire.md's decisions about it. */

let live: LiveGateway;
let caller: Caller;
let other: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  [caller, other] = (await live.gateway.operator.createCallers(2)) as [Caller, Caller];
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

function call(
  key: string,
  body: string = chainId,
  { as = caller, network = 'ethereum-mainnet' }: { as?: Pick<Caller, 'key'>; network?: string } = {},
): Promise<Answer> {
  return live.gateway.rpc(body, { as, network, headers: { 'idempotency-key': key } });
}

/** Expects the stored body and no charge. */
function expectReplay(answer: Answer, of: Answer): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).toBe(of.text);
  expect(answer.headers['idempotent-replayed']).toBe('true');
  expect(answer.headers['x-service-rpc-credits']).toBe('0');
  expect(answer.headers['x-service-rpc-cost-usd']).toBe('0.00000000');
}

/** Expects 400 with a DetailedError, because the key belongs to another request. */
function expectKeyReused(answer: Answer): void {
  expect(answer.status, answer.text).toBe(400);
  expectErrorTree((answer.json as { details: unknown }).details);
  expect(answer.json).toMatchObject({ error: expect.stringContaining('Idempotency-Key') });
}

describe('same key and same body within 24 hours returns the cached response with Idempotent-Replayed: true', () => {
  test('does not touch the upstream and charges no new credits', async () => {
    const key = randomUUID();
    live.stub.answer(resultOfEach('{"big":12345678901234567890,"a":1,"a":2}'));
    const first = await call(key);
    expectCharged(live.gateway, first, 20);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const charges = live.gateway.books.count();
    live.stub.reset();
    for (let i = 0; i < 3; i++) expectReplay(await call(key), first);
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });

  at('fast', 'postgres').test(
    'a method of filters, which costs nothing and whose answer is kept all the same',
    async () => {
      const key = randomUUID();
      const filter = '{"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{}]}';
      const charges = live.gateway.books.count();
      const first = await call(key, filter);
      expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
      expectReplay(await call(key, filter), first);
      expectKeyReused(await call(key));
      expect(live.gateway.books.count()).toBe(charges);
    },
  );

  test('a batch', async () => {
    const key = randomUUID();
    const batch = '[{"id":"a","method":"eth_chainId"},{"id":"b","method":"eth_blockNumber"}]';
    const first = await call(key, batch);
    expectCharged(live.gateway, first, 40);
    expectReplay(await call(key, batch), first);
  });

  test('an answer of 3 MB', async () => {
    const key = randomUUID();
    live.stub.answer(resultOfEach(`"${'é'.repeat(1_500_000)}"`));
    const first = await call(key);
    expectReplay(await call(key), first);
  });

  test('a JSON-RPC error, which is a 200 too', async () => {
    const key = randomUUID();
    live.stub.answer(errorOfEach());
    const first = await call(key);
    expectCharged(live.gateway, first, 5);
    live.stub.reset();
    expectReplay(await call(key), first);
    expect(live.stub.requests).toHaveLength(0);
  });

  test('after 24 hours the key may be reused', async () => {
    const key = randomUUID();
    await call(key);
    live.gateway.books.ageKeptAnswers(24 * 3_600_000 - 60_000);
    expect((await call(key)).headers['idempotent-replayed']).toBe('true');
    live.gateway.books.ageKeptAnswers(60_000);
    expectCharged(live.gateway, await call(key, '{"id":2,"method":"eth_blockNumber"}'), 20);
  });

  test('without the header nothing is kept', async () => {
    for (let i = 0; i < 2; i++) expectCharged(live.gateway, await live.gateway.rpc(chainId, { as: caller }), 20);
    expect(live.stub.requests).toHaveLength(2);
  });
});

at('fast', 'postgres').describe('same key with a different body returns 400', () => {
  test.each([
    ['another method', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'],
    ['another id', '{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}'],
    ['white space: the fingerprint is the body’s bytes', `${chainId} `],
  ])('%s', async (_what, body) => {
    const key = randomUUID();
    const first = await call(key);
    const charges = live.gateway.books.count();
    live.stub.reset();
    expectKeyReused(await call(key, body));
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
    expectReplay(await call(key), first);
  });

  test('a different network under one key is a different request', async () => {
    const key = randomUUID();
    await call(key);
    live.stub.reset();
    expectKeyReused(await call(key, chainId, { network: 'base-mainnet' }));
    expect(live.stub.requests).toHaveLength(0);
  });
});

at('fast', 'postgres').describe('the cache key is the pair (caller, idempotency key)', () => {
  test('another caller with the same key has a request of its own', async () => {
    const key = randomUUID();
    await call(key);
    const answer = await call(key, '{"id":9,"method":"eth_blockNumber"}', { as: other });
    expectCharged(live.gateway, answer, 20);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  test('another API key of the same caller is the same caller', async () => {
    const key = randomUUID();
    const first = await call(key);
    const second = await live.gateway.operator.createKey(caller.accountId);
    expectReplay(await call(key, chainId, { as: { key: second.apiKey } }), first);
  });

  test('keys differ by letter case', async () => {
    const key = randomUUID();
    await call(`${key}a`);
    expectCharged(live.gateway, await call(`${key}A`), 20);
  });
});

at('fast', 'postgres').describe(
  'only 200s are stored, so that a failed request can be tried again under its key',
  () => {
    test('after a failure of the upstream', async () => {
      const key = randomUUID();
      live.stub.answer(() => ({ status: 500, body: 'down' }));
      expect((await call(key)).status).toBe(500);
      live.stub.reset();
      expectCharged(live.gateway, await call(key), 20);
    });

    test('after a 400, even with another body', async () => {
      const key = randomUUID();
      expect((await call(key, '{"id":1,"method":"eth_accounts"}')).status).toBe(400);
      expectCharged(live.gateway, await call(key), 20);
    });

    test('after a 402', async () => {
      const key = randomUUID();
      const poor = await live.gateway.operator.createCaller({ usd: usdOf(10) });
      expect((await call(key, chainId, { as: poor })).status).toBe(402);
      await live.gateway.operator.run('grants add', '--account', String(poor.accountId), '--usd', usdOf(20));
      expectCharged(live.gateway, await call(key, chainId, { as: poor }), 20);
    });
  },
);

at('fast', 'postgres').test('a replay needs no balance', async () => {
  const key = randomUUID();
  const poor = await live.gateway.operator.createCaller({ usd: usdOf(20) });
  const first = await call(key, chainId, { as: poor });
  expectCharged(live.gateway, first, 20);
  expect((await call(randomUUID(), chainId, { as: poor })).status).toBe(402);
  expectReplay(await call(key, chainId, { as: poor }), first);
});

at('fast', 'postgres').describe('an answer that is too large to keep', () => {
  const LARGE = `"${'x'.repeat(5 * 1024 * 1024)}"`;

  test('is charged and answered, with Idempotency-Stored: false, and takes no room', async () => {
    const [key, before] = [randomUUID(), live.gateway.books.keptBytes()];
    live.stub.answer(resultOfEach(LARGE));
    const answer = await call(key);
    expectCharged(live.gateway, answer, 20);
    expect(answer.headers['idempotency-stored']).toBe('false');
    expect(answer.text.length).toBeGreaterThan(LARGE.length);
    expect(live.gateway.books.keptBytes()).toBe(before);
    expect(
      (await call(randomUUID(), '{"id":1,"method":"eth_blockNumber"}')).headers['access-control-expose-headers'],
    ).toContain('Idempotency-Stored');
  });

  test.each([
    ['a read', chainId],
    [
      'a transaction, with what was asked beside it',
      '[{"id":1,"method":"eth_sendRawTransaction","params":["0x02"]},{"id":2,"method":"eth_getLogs","params":[{}]}]',
    ],
  ])('%s: its repetition is 400 that says so, executes nothing and charges nothing', async (_what, body) => {
    const key = randomUUID();
    live.stub.answer(resultOfEach(LARGE));
    expect((await call(key, body)).status).toBe(200);
    live.stub.reset();
    const charges = live.gateway.books.count();
    for (let i = 0; i < 2; i++) {
      const again = await call(key, body);
      expect(again.status, again.text).toBe(400);
      expect(again.json).toMatchObject({
        code: 'IDEMPOTENT_ANSWER_NOT_KEPT',
        error: expect.stringContaining('made, charged and answered'),
      });
      expectErrorTree((again.json as { details: unknown }).details);
    }
    expectKeyReused(await call(key, `${body} `));
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });

  test('40 of them, and as many as one caller may keep, take no more than that', { timeout: 120_000 }, async () => {
    const glutton = await live.gateway.operator.createCaller();
    const before = live.gateway.books.keptBytes();
    live.stub.answer(resultOfEach(`"${'x'.repeat(3 * 1024 * 1024)}"`));
    let stored = 0;
    for (let i = 0; i < 40; i++) {
      const answer = await call(randomUUID(), chainId, { as: glutton });
      expectCharged(live.gateway, answer, 20);
      if (answer.headers['idempotency-stored'] === undefined) stored++;
    }
    expect(stored).toBe(21);
    expect(live.gateway.books.keptBytes() - before).toBeLessThanOrEqual(64 * 1024 * 1024);
    // Small answers are still stored, such as the hash of a transaction.
    live.stub.reset();
    const [key, body] = [randomUUID(), '{"id":1,"method":"eth_sendRawTransaction","params":["0x02"]}'];
    const sent = await call(key, body, { as: glutton });
    expectReplay(await call(key, body, { as: glutton }), sent);
    expect(live.stub.requests).toHaveLength(1);
  });
});

at('fast', 'postgres').describe(
  'at once, a second request under an Idempotency-Key whose first is still running is 429',
  () => {
    test('customMessage says so; the first is answered, charged once, and replayed from then on', async () => {
      const key = randomUUID();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      live.stub.answer(async (request, response) => {
        await held;
        return resultOfEach('"0x1"')(request, response);
      });
      const first = call(key);
      await until(() => live.stub.requests.length === 1);

      const second = await call(key);
      expect(second.status, second.text).toBe(429);
      expect(second.elapsedMs).toBeLessThan(1_500);
      expect(second.json).toMatchObject({
        error: expect.any(String),
        customMessage: expect.stringMatching(/concurrent/i),
      });
      expect((await call(key, '{"id":2,"method":"eth_blockNumber"}')).status).toBe(429);

      const [elsewhere, someoneElse] = [
        call(randomUUID(), '{"method":"eth_call","params":[1]}'),
        call(key, '{"method":"eth_call","params":[2]}', { as: other }),
      ];
      await until(() => live.stub.requests.length === 3);
      release();
      expectCharged(live.gateway, await elsewhere, 20);
      expectCharged(live.gateway, await someoneElse, 20);
      expectCharged(live.gateway, await first, 20);
      expectReplay(await call(key), await first);
      expect(live.stub.requests).toHaveLength(3);
    });

    test('the key is free again when the first has failed', async () => {
      const key = randomUUID();
      live.stub.answer((_request, response) => void response.destroy());
      expect((await call(key)).status).toBe(500);
      live.stub.reset();
      expectCharged(live.gateway, await call(key), 20);
    });

    test('of 20 parallel requests under one key one is charged, and none is answered otherwise than 200 or 429', async () => {
      const key = randomUUID();
      const charges = live.gateway.books.count();
      const answers = await Promise.all(Array.from({ length: 20 }, () => call(key)));
      expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
      for (const { status } of answers) expect([200, 429]).toContain(status);
      expect(live.gateway.books.count()).toBe(charges + 1);
      expect(live.stub.requests).toHaveLength(1);
    });
  },
);

at('fast', 'postgres').test.each([
  ['one character', 'a'],
  ['255 characters', 'k'.repeat(255)],
  ['letters, digits, _ and -', 'AZaz09_-'],
])('an Idempotency-Key of %s is accepted', async (_what, key) => {
  expect((await call(key)).status).toBe(200);
});
