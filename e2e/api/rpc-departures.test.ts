import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged, usdOf } from './harness/credits';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { openRaw } from './harness/raw-socket';
import { resultOfEach } from './harness/stub-upstream';
import { until } from './harness/until';

/** Clients that go away before they are answered, and many that come at once. */

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

/** Holds every answer until it is told to go on. */
function holdAnswers(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  live.stub.answer(async (incoming, response) => {
    await held;
    return resultOfEach('"0x1"')(incoming, response);
  });
  return release;
}

/** A while in which something would have happened, had it been going to. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('a client that closes the connection while the upstream is slow', () => {
  test('the upstream is aborted, nothing is charged, and nothing stays reserved', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(20) });
    holdAnswers();
    const socket = await openRaw(live.gateway.port, request(caller, 'eth_call'));
    await until(() => live.stub.requests.length === 1);
    socket.destroy();
    await until(() => live.stub.request.aborted);
    await aWhile();
    expect(live.gateway.books.charges(caller.accountId)).toEqual([]);
    live.stub.reset();
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
  });

  test('its Idempotency-Key can be tried again', async () => {
    const caller = await live.gateway.operator.createCaller();
    holdAnswers();
    const socket = await openRaw(live.gateway.port, request(caller, 'eth_call', 'Idempotency-Key: departed\r\n'));
    await until(() => live.stub.requests.length === 1);
    socket.destroy();
    await until(() => live.stub.request.aborted);
    live.stub.reset();
    const again = async () => live.gateway.rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [] }), { as: caller, headers: { 'idempotency-key': 'departed' } });
    let answer = await again();
    await until(async () => answer.status !== 429 || (answer = await again()).status !== 429);
    expectCharged(live.gateway, answer, 20);
  });

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
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openRaw(live.gateway.port, whole.slice(0, -10))));
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
    for (const socket of sockets) socket.destroy();
  });
});

describe('64 parallel calls of a caller with credits for exactly 10', () => {
  test('10 succeed, 54 get 402, and the ledger sums to the balance', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(200) });
    const release = holdAnswers();
    const running = Promise.all(Array.from({ length: 64 }, (_none, index) => live.gateway.rpc({ id: 1, method: 'eth_call', params: [index] }, { as: caller })));
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
    const answers = await Promise.all(Array.from({ length: 64 }, () => live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(54);
    expect(await live.gateway.operator.checkLedger()).toMatchObject({ ok: true, faults: [] });
  });

  test('what fails among them is free for others: errors cost 5, so 10 credits more buy no less', async () => {
    const caller = await live.gateway.operator.createCaller({ usd: usdOf(20) });
    live.stub.answer(() => ({ status: 500 }));
    const failed = await Promise.all(Array.from({ length: 8 }, () => live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller })));
    for (const { status } of failed) expect([402, 500]).toContain(status);
    live.stub.reset();
    expectCharged(live.gateway, await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: caller }), 20);
  });
});
