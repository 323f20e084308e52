/**
 * @at next: Next's own server notices disconnected clients.
 * @at postgres: many calls reserve and settle money in the database at the same time.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { expectCharged, usdOf } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { openRaw } from './harness/raw-socket';
import { errorOfEach, resultOfEach } from './harness/stub-upstream';
import { until } from '@/test/until';

/** Clients that disconnect before their answer, and many concurrent clients. */

let live: LiveGateway;

beforeAll(async () => {
  live = await startLiveGateway();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

function request(caller: Caller, method: string, headers = ''): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  return `POST /api/v1/crypto/rpc/ethereum-mainnet HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Delays every answer until it is released. */
function holdAnswers(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  live.stub.answer(async (incoming, response) => {
    await held;
    return resultOfEach('"0x1"')(incoming, response);
  });
  return release;
}

/** Time in which the unwanted effect would have happened. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Ways to disconnect. The fast path notices only the first. Behind the other entry, both have the same effect. */
const WAYS: [string, string][] = [
  ['as most clients send it', ''],
  ['with a header twice, which the fast path leaves to node:http', 'X-Twice: 1\r\nX-Twice: 2\r\n'],
];

describe.each(WAYS)('a client that ends its side after its request and still reads, %s', (_what, headers) => {
  test.each([0, 400])('is answered, and charged what any call costs, %i ms later', async (delayMs) => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(40) });
    live.stub.answer(async (incoming, response) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return resultOfEach('"0x1"')(incoming, response);
    });
    const socket = connect({ port: live.gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).end(request(caller, 'eth_call', headers));
    await once(socket, 'end');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"result":"0x1"/);
    expect(live.gateway.books.charges(caller.accountId)).toMatchObject([{ credits: 20 }]);
  });
});

describe.each(WAYS)('a client that closes the connection after its call was sent upstream, %s', (_what, headers) => {
  async function leaveAfter(caller: Caller, method: string, more = ''): Promise<void> {
    const asked = live.stub.requests.length;
    const socket = await openRaw(live.gateway.port, request(caller, method, headers + more));
    await until(() => live.stub.requests.length > asked);
    socket.destroy();
  }
  const charges = (caller: Caller) => live.gateway.books.charges(caller.accountId);

  test('the call is carried out and charged, and nothing stays reserved', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(40) });
    const release = holdAnswers();
    await leaveAfter(caller, 'eth_call');
    await aWhile();
    expect(live.stub.request.aborted).toBe(false);
    release();
    await until(() => charges(caller).length > 0);
    expect(charges(caller)).toMatchObject([{ credits: 20 }]);
    live.stub.reset();
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
  });

  at('fast', 'postgres').test('an error costs 5, a failed upstream nothing', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(20) });
    live.stub.answer(async (...asked) => {
      await aWhile();
      return errorOfEach()(...asked);
    });
    await leaveAfter(caller, 'eth_call');
    await until(() => charges(caller).length > 0);
    expect(charges(caller)).toMatchObject([{ credits: 5 }]);
    live.stub.reset();
    live.stub.answer(async () => {
      await aWhile();
      return { status: 400 };
    });
    const failing = await live.gateway.operator.createCaller({ usd: usdOf(20) });
    await leaveAfter(failing, 'eth_call');
    // The gateway retries the call, as for a connected client. Afterwards, nothing is reserved, and the next call
    // reaches the upstream, which fails it too.
    const call = () => live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: failing });
    await until(async () => (await call()).status !== 402, 30_000);
    expect(charges(failing)).toEqual([]);
    live.stub.reset();
    expectCharged(live.gateway, await call(), 20);
  });

  at('fast', 'postgres').test(
    'of 20 calls each is charged, and a caller who holds money for no more than that gets no further',
    async () => {
      const caller = await live.gateway.operator.createCaller({ usd: usdOf(400) });
      const release = holdAnswers();
      const body = (index: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [index] });
      const sockets = await Promise.all(
        Array.from({ length: 20 }, (_none, index) => {
          const text = body(index);
          return openRaw(
            live.gateway.port,
            `POST /api/v1/crypto/rpc/ethereum-mainnet HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\n${headers}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
          );
        }),
      );
      await until(() => live.stub.requests.length === 20);
      for (const socket of sockets) socket.destroy();
      await aWhile();
      // The running calls have reserved the whole balance.
      expect((await live.gateway.rpc({ id: 1, method: 'eth_call', params: ['x'] }, { as: caller })).status).toBe(402);
      release();
      await until(() => charges(caller).length === 20);
      expect(charges(caller).map(({ credits }) => credits)).toEqual(Array.from({ length: 20 }, () => 20));
      expect((await live.gateway.operator.balances()).get(caller.accountId)?.usd).toBe(usdOf(0));
    },
  );

  at('fast', 'postgres').test(
    'its answer is kept under its Idempotency-Key, and replayed if the caller asks again',
    async () => {
      const caller = await live.gateway.operator.createCaller();
      const release = holdAnswers();
      const key = `departed-${headers.length}`;
      await leaveAfter(caller, 'eth_call', `Idempotency-Key: ${key}\r\n`);
      await aWhile();
      release();
      await until(() => charges(caller).length > 0);
      const again = await live.gateway.rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] }), {
        as: caller,
        headers: { 'idempotency-key': key },
      });
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(live.stub.requests).toHaveLength(1);
      expect(charges(caller)).toMatchObject([{ credits: 20 }]);
    },
  );

  test('a send is not aborted: the transaction is on its way, and is charged once', async () => {
    const caller = await live.gateway.operator.createCaller();
    const release = holdAnswers();
    const socket = await openRaw(live.gateway.port, request(caller, 'eth_sendRawTransaction'));
    await until(() => live.stub.requests.length === 1);
    socket.destroy();
    await aWhile();
    expect(live.stub.request.aborted).toBe(false);
    release();
    await until(() => live.stub.request.answered && live.gateway.books.charges(caller.accountId).length > 0);
    await aWhile();
    expect(live.gateway.books.charges(caller.accountId)).toMatchObject([{ credits: 20 }]);
  });
});

describe('a client that never sends what it announced', () => {
  test('a cut body: nothing is charged, nothing reaches the node', async () => {
    const caller = await live.gateway.operator.createCaller();
    const whole = request(caller, 'eth_call');
    const socket = await openRaw(live.gateway.port, whole.slice(0, -10));
    await aWhile();
    socket.destroy();
    await aWhile();
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.charges(caller.accountId)).toEqual([]);
  });

  test('200 of them at once do not keep others from being answered', async () => {
    const caller = await live.gateway.operator.createCaller();
    const whole = request(caller, 'eth_call');
    const sockets = await Promise.all(
      Array.from({ length: 200 }, () => openRaw(live.gateway.port, whole.slice(0, -10))),
    );
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
    for (const socket of sockets) socket.destroy();
  });
});

at('fast', 'postgres').describe('64 parallel calls of a caller with credits for exactly 10', () => {
  test('10 succeed, 54 get 402, and the ledger sums to the balance', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(200) });
    const release = holdAnswers();
    const running = Promise.all(
      Array.from({ length: 64 }, (_none, index) =>
        live.gateway.rpc({ id: 1, method: 'eth_call', params: [index] }, { as: caller }),
      ),
    );
    await until(() => live.stub.requests.length === 10);
    await aWhile();
    release();
    const answers = await running;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(54);
    expect(live.stub.requests).toHaveLength(10);
    expect(live.gateway.books.charges(caller.accountId)).toHaveLength(10);
    expect((await live.gateway.operator.balances()).get(caller.accountId)?.usd).toBe(usdOf(0));
    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true, faults: [] });
  });

  test('the same where they are one and the same read, and the upstream answers at once', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(200) });
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(54);
    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true, faults: [] });
  });

  test('what fails among them is free for others: errors cost 5, so 10 credits more buy no less', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(20) });
    live.stub.answer(() => ({ status: 500 }));
    const failed = await Promise.all(
      Array.from({ length: 8 }, () => live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller })),
    );
    for (const { status } of failed) expect([402, 500]).toContain(status);
    live.stub.reset();
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
  });
});
