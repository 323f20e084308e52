import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundAnswer, boundRequests, PIPELINED_MAX } from './answer-bounds';

const SHORT = { headMs: 100, requestMs: 200, stallMs: 150, keepAliveMs: 10_000, lingerMs: 100 };
const LARGE = Buffer.alloc(64_000_000, 'x');

/**
 * Starts a server. `/large` exceeds any buffer, `/silent` is late, `/never` gets no answer, and all else is immediate.
 */
async function bounded(bounds: Partial<typeof SHORT> = {}) {
  const served: string[] = [];
  const gone: string[] = [];
  const server: Server = createServer({ connectionsCheckingInterval: 20 }, (request, response) => {
    if (!boundAnswer(request, response, { ...SHORT, ...bounds })) return;
    served.push(request.url ?? '');
    response.once('close', () => {
      if (!response.writableFinished) gone.push(request.url ?? '');
    });
    if (request.url === '/large') response.end(LARGE);
    else if (request.url === '/silent') {
      response.write('first');
      setTimeout(() => response.end('last'), 500);
    } else if (request.url !== '/never') response.end('ok');
  });
  boundRequests(server, { ...SHORT, ...bounds });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { served, gone, port: (server.address() as AddressInfo).port };
}

/** Connects and returns the received bytes and the connection's lifetime, at most `timeoutMs`. */
function dial(port: number, bytes: string, timeoutMs = 5_000) {
  const startedAt = performance.now();
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  const seen = { text: '', bytes: 0, socket, isClosed: false };
  socket.on('data', (chunk) => {
    seen.bytes += chunk.length;
    if (seen.text.length < 10_000) seen.text += chunk.toString();
  });
  const lasted = new Promise<number>((resolve) => {
    const overdue = setTimeout(() => resolve(timeoutMs), timeoutMs);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        seen.isClosed = true;
        clearTimeout(overdue);
        resolve(performance.now() - startedAt);
      });
  });
  onTestFinished(() => void socket.destroy());
  return { seen, lasted };
}

describe('what a connection may hold', () => {
  it.each([
    ['nothing at all', ''],
    ['half a request line', 'GET / HT'],
    ['a head without an end', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['half a body', 'POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
    ['chunks without an end', 'POST /never HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('with %s it is not held for long', async (_what, bytes) => {
    const { port } = await bounded();
    expect(await dial(port, bytes).lasted).toBeLessThan(3_000);
  });

  it('a head that comes byte by byte is no reason to wait', async () => {
    const { port } = await bounded();
    const { seen, lasted } = dial(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
    const drip = setInterval(() => seen.socket.write('a'), 20);
    const lastedMs = await lasted;
    clearInterval(drip);
    expect(lastedMs).toBeLessThan(3_000);
    expect(seen.text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"REQUEST_TIMEOUT"/);
  });

  it('a body that nobody reads ends soon after the answer, which arrives', async () => {
    const { port } = await bounded({ requestMs: 60_000 });
    const { seen, lasted } = dial(port, 'POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const flood = setInterval(() => seen.socket.write(`ffff\r\n${'x'.repeat(65_535)}\r\n`), 5);
    const lastedMs = await lasted;
    clearInterval(flood);
    expect(lastedMs).toBeLessThan(3_000);
    expect(seen.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body that comes to its end after the answer costs nobody the connection', async () => {
    const { port, served } = await bounded({ requestMs: 60_000, lingerMs: 1_000 });
    const { seen } = dial(port, 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n12');
    await sleep(50);
    seen.socket.write('34GET /y HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(1_300);
    expect(served).toEqual(['/x', '/y']);
    expect(seen.isClosed).toBe(false);
  });

  it('a client that takes nothing of its answer is not waited for', async () => {
    const { port } = await bounded();
    const { seen, lasted } = dial(port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    seen.socket.pause();
    await sleep(1_000);
    seen.socket.resume();
    expect(await lasted).toBeLessThan(4_000);
    expect(seen.bytes).toBeLessThan(LARGE.length);
  });

  it('one that takes it slowly gets all of it', async () => {
    // Each pause is a fraction of the timeout, even on a busy machine. All pauses together are longer.
    const { port } = await bounded({ stallMs: 1_000 });
    const { seen } = dial(port, 'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 20_000);
    for (let i = 0; i < 6; i++) {
      seen.socket.pause();
      await sleep(250);
      seen.socket.resume();
      await sleep(5);
    }
    for (let i = 0; i < 400 && !seen.isClosed; i++) await sleep(10);
    expect(seen.bytes).toBeGreaterThan(LARGE.length);
  });

  it('an answer may be silent for longer than a client may', async () => {
    const { port } = await bounded();
    const { seen, lasted } = dial(port, 'GET /silent HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await lasted;
    expect(seen.text).toMatch(/first[\s\S]*last/);
  });

  it('requests that wait for their answers at a time are bounded', async () => {
    const { port, served } = await bounded();
    const { lasted } = dial(port, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED_MAX * 3));
    expect(await lasted).toBeLessThan(3_000);
    expect(served.length).toBeLessThanOrEqual(PIPELINED_MAX);
  });

  it('each of them hears that its client has gone, once', async () => {
    const { port, served, gone } = await bounded();
    const { seen } = dial(port, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    for (let i = 0; i < 200 && served.length < 20; i++) await sleep(5);
    seen.socket.destroy();
    await sleep(50);
    expect(gone).toEqual(served);
    expect(gone).toHaveLength(20);
  });

  it('an idle connection is kept as long as a load balancer may keep it, unless the operator says otherwise', () => {
    const [usual, chosen] = [createServer(), createServer({ keepAliveTimeout: 7_000 })];
    boundRequests(usual);
    boundRequests(chosen);
    expect([usual.keepAliveTimeout, chosen.keepAliveTimeout]).toEqual([75_000, 7_000]);
  });

  it('those that are answered are not', async () => {
    const { port, served } = await bounded();
    const { seen } = dial(port, '');
    for (let i = 0; i < PIPELINED_MAX * 3; i++) {
      seen.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      for (let turn = 0; turn < 200 && served.length <= i; turn++) await sleep(1);
    }
    expect(served).toHaveLength(PIPELINED_MAX * 3);
    expect(seen.isClosed).toBe(false);
  });
});
