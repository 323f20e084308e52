/**
 * @at next: answers pass Next's own server.
 * @not postgres: these refusals come before any access to the database, and charges are as usual.
 * @waits: until stalled readers are disconnected.
 */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { openRaw } from './harness/raw-socket';
import { until } from '@/test/until';

/** Clients that request large answers and read nothing, at a gateway with little memory for answers. */

/** More bytes than the kernel buffers for a client that reads nothing. */
const LARGE_BYTES = 24_000_000;
const LARGE = `"${'x'.repeat(LARGE_BYTES)}"`;
const MEMORY = {
  answersBytesMax: 30_000_000,
  callerBytesMax: 20_000_000,
  waitingMax: 1,
  slowReaderMs: 8_000,
  slowReaderPressedMs: 4_000,
};

let live: LiveGateway;
let open: Socket[] = [];

beforeAll(async () => {
  live = await startLiveGateway({ memory: MEMORY });
});
afterAll(() => live?.stop());
beforeEach(() => {
  for (const socket of open) socket.destroy();
  open = [];
  live.stub.reset();
  live.stub.answer(({ items }) =>
    items
      .map(
        ({ id, method }) =>
          `{"jsonrpc":"2.0","id":${String(id)},"result":${method === 'eth_getLogs' ? LARGE : '"0x2a"'}}`,
      )
      .join(),
  );
});

/** Requests a large answer and reads nothing of it. */
async function stall(caller: Caller): Promise<Socket> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getLogs',
    params: [{ fromBlock: `0x${(open.length + Date.now()).toString(16)}` }],
  });
  const socket = await openRaw(
    live.gateway.port,
    `POST /api/v1/crypto/rpc/ethereum-mainnet HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.pause();
  open.push(socket);
  return socket;
}

const small = (caller: Caller) =>
  live.gateway.rpc(
    '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000000","latest"]}',
    { as: caller },
  );
const newCaller = () => live.gateway.operator.createCaller();
const charges = (caller: Caller) => live.gateway.books.charges(caller.accountId).length;

describe('a caller who does not read what it asked for', () => {
  test('is refused further work, which is neither asked for nor charged; others are served', async () => {
    const [hog, other] = [await newCaller(), await newCaller()];
    await stall(hog);
    await until(() => charges(hog) === 1);
    const asked = live.stub.requests.length;
    const refused = await small(hog);
    expect([refused.status, (refused.json as { code: string }).code, refused.headers['retry-after']]).toEqual([
      503,
      'OVERLOADED',
      '5',
    ]);
    expect([live.stub.requests.length, charges(hog)]).toEqual([asked, 1]);
    expect((await small(other)).status).toBe(200);
    open[0]?.destroy();
    await until(async () => (await small(hog)).status === 200);
  });

  test('is given up after a while, and keeps being charged for what it asked', async () => {
    const hog = await newCaller();
    const socket = await stall(hog);
    await until(() => charges(hog) === 1);
    await until(async () => (await small(hog)).status === 200, 20_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
    expect(charges(hog)).toBe(2);
  });
});

test('answers that come when the memory is full wait for it; when as many wait as may, new work is 503, and it goes on when there is room', async () => {
  const [first, second, third] = [await newCaller(), await newCaller(), await newCaller()];
  await stall(first);
  await until(() => charges(first) === 1);
  await stall(second);
  await until(async () => (await small(third)).status === 503);
  const asked = live.stub.requests.length;
  expect((await small(third)).status).toBe(503);
  expect([live.stub.requests.length, charges(second)]).toEqual([asked, 0]);
  // The first client is disconnected, because others wait for memory.
  await until(() => charges(second) === 1, 20_000);
  expect((await small(third)).status).toBe(200);
});
