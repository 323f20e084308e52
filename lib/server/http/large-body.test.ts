import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve, testGateway } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';
import { until } from '@/test/until';
import { type Call, type Reply } from './call';
import type { Endpoint } from './endpoint';
import { FastPath } from './fast-path/fast-path';
import { HeldMemory, type HeldMemoryLimits } from './held-memory/held-memory';
import { nextRoute } from './next-adapter';
import { nodeListener } from './node-adapter';
import { Router } from './router';
import { type ServedApi, setServedApi } from './served-api';

const PATH = '/api/v1/crypto/rpc/base-mainnet';
/** More than the kernel buffers for a reader that accepts nothing. */
const LARGE_BYTES = 24_000_000;
const LIMITS: HeldMemoryLimits = {
  answersBytesMax: 64_000_000,
  callerBytesMax: 32_000_000,
  waitingMax: 4,
  slowReaderMs: 60_000,
  slowReaderPressedMs: 60_000,
};

let made: Buffer[] = [];

/** Answers as the proxy does, with counted bytes from an upstream. */
function api(memory: HeldMemory, gateway: ServedApi): ServedApi {
  made = [];
  const endpoint: Endpoint = {
    path: '/api/v1/crypto/rpc/{network}',
    POST: async (call: Call): Promise<Reply> => {
      const size = Number(Buffer.from(await call.readBody(100)).toString());
      const bytes = Buffer.allocUnsafeSlow(size).fill('x');
      const arrival = memory.arrive(() => undefined);
      arrival.claim(size);
      arrival.complete(bytes);
      made.push(bytes);
      return { status: 200, headers: {}, body: [Buffer.from('['), bytes, Buffer.from(']')], accountId: 1 };
    },
  };
  return { ...gateway, memory, router: new Router([endpoint]) };
}

async function entry(
  kind: 'fast' | 'node',
  limits: Partial<HeldMemoryLimits> = {},
): Promise<{ port: number; memory: HeldMemory }> {
  const memory = new HeldMemory({ ...LIMITS, ...limits });
  onTestFinished(() => memory.close());
  const served = api(memory, await testGateway());
  const { server, port } = await serve(nodeListener(served));
  if (kind === 'fast') {
    const fastPath = new FastPath(server, served, { keepAliveMs: 10_000, firstRequestMs: 10_000 });
    onTestFinished(() => fastPath.close());
  }
  return { port, memory };
}

async function ask(port: number, bytes: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(bytes).length}\r\n\r\n${bytes}`);
  return socket;
}

describe.each(['fast', 'node'] as const)('a large answer (%s entry)', (kind) => {
  it('arrives whole with its length, and its memory is free when its reader has it', async () => {
    const { port, memory } = await entry(kind);
    const socket = await ask(port, 3_000_000);
    let [received, head] = [0, ''];
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4);
      received += chunk.length;
    });
    await until(() => head !== '' && received === head.length + 3_000_002);
    expect(head.toLowerCase()).toContain('content-length: 3000002');
    await until(() => memory.figures.heldBytes === 0);
    expect([made[0]?.byteLength, memory.figures.readers]).toEqual([0, 0]);
  });

  it('is free as soon as a reader leaves who took nothing', async () => {
    const { port, memory } = await entry(kind);
    const socket = (await ask(port, LARGE_BYTES)).pause();
    await until(() => memory.figures.readers === 1);
    expect(memory.figures.heldBytes).toBe(LARGE_BYTES);
    socket.destroy();
    await until(() => memory.figures.heldBytes === 0);
    expect(made[0]?.byteLength).toBe(0);
  });

  it('of which its reader takes nothing for too long ends its connection', async () => {
    const { port, memory } = await entry(kind, { slowReaderMs: 300, slowReaderPressedMs: 300 });
    const socket = (await ask(port, LARGE_BYTES)).pause();
    await until(() => memory.figures.readers === 1);
    await until(() => memory.figures.givenUpTotal === 1 && memory.figures.heldBytes === 0);
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  });
});

describe('a large answer behind Next', () => {
  it('is sent as it is taken, and counted until then', async () => {
    const memory = new HeldMemory(LIMITS);
    onTestFinished(() => memory.close());
    setServedApi(api(memory, await testGateway()));
    const response = await throughEntry(
      nextRoute('/api/v1/crypto/rpc/{network}').POST,
      new Request(`http://gateway${PATH}`, { method: 'POST', body: '1000000' }),
    );
    expect(response.headers.get('content-length')).toBe('1000002');
    expect(memory.figures).toMatchObject({ heldBytes: 1_000_000, readers: 1 });
    expect((await response.text()).length).toBe(1_000_002);
    expect(memory.figures).toMatchObject({ heldBytes: 0, readers: 0 });
  });

  it('is free when its reader leaves', async () => {
    const memory = new HeldMemory(LIMITS);
    onTestFinished(() => memory.close());
    setServedApi(api(memory, await testGateway()));
    const response = await throughEntry(
      nextRoute('/api/v1/crypto/rpc/{network}').POST,
      new Request(`http://gateway${PATH}`, { method: 'POST', body: '1000000' }),
    );
    await response.body?.cancel();
    expect([memory.figures.heldBytes, made[0]?.byteLength]).toEqual([0, 0]);
  });
});
