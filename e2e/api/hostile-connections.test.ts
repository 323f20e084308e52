/**
 * @at next: Next's own server closes bad connections, heads and endless bodies.
 * @not postgres: none of these requests reaches the database.
 */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { exchange } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { openRaw, sendRaw } from './harness/raw-socket';

/** Limits the cost of one or many hostile connections: endless bytes, huge heads, idle connections. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const call = () => live.gateway.rpc(body, { as: caller });
const bearer = () => `Authorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\n`;

/** Returns how long a connection lasts while the client keeps sending. */
async function lastsWhile(
  socket: Socket,
  send: (socket: Socket) => void,
  everyMs: number,
  atMostMs: number,
): Promise<{ lastedMs: number; text: string }> {
  const startedAt = performance.now();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += text.length < 10_000 ? chunk.toString('latin1') : ''));
  const sending = setInterval(() => send(socket), everyMs);
  await new Promise<void>((resolve) => {
    const overdue = setTimeout(resolve, atMostMs);
    socket.once('close', () => {
      clearTimeout(overdue);
      resolve();
    });
  });
  clearInterval(sending);
  socket.destroy();
  return { lastedMs: performance.now() - startedAt, text };
}

/** Runs in parallel, because each only waits for its connection to be closed. */
describe('bytes that never end', () => {
  const flood = `10000\r\n${'x'.repeat(65_536)}\r\n`;

  test.concurrent.each([
    ['to an endpoint that reads no body', 'POST', '/api/health', 405],
    ['to a path that leads nowhere', 'POST', '/api/nothing', 404],
    ['to a page', 'POST', '/rpc', 405],
    ['with a GET', 'GET', '/api/health', 200],
    ['with a GET of a page', 'GET', '/rpc', 200],
    ['without a credential', 'POST', RPC, 402],
  ])('%s are answered, and cut off within seconds', async (_what, method, path, status) => {
    const socket = await openRaw(
      live.gateway.port,
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const { lastedMs, text } = await lastsWhile(socket, (open) => open.write(flood), 20, 25_000);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(lastedMs).toBeLessThan(20_000);
    expectCharged(live.gateway, await call(), 20);
  });

  test.concurrent('beyond a body limit are 413, and cut off within seconds', async () => {
    const socket = await openRaw(
      live.gateway.port,
      `POST ${RPC} HTTP/1.1\r\nHost: x\r\n${bearer()}Transfer-Encoding: chunked\r\n\r\n`,
    );
    const { lastedMs, text } = await lastsWhile(socket, (open) => open.write(flood.repeat(8)), 10, 25_000);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(lastedMs).toBeLessThan(25_000);
  });

  test.concurrent.each([
    ['extensions of a chunk', () => 'Transfer-Encoding: chunked\r\n\r\n1;', () => 'a=b;'.repeat(1_000)],
    ['trailers', () => 'Transfer-Encoding: chunked\r\n\r\n0\r\n', () => `X-T: ${'a'.repeat(1_000)}\r\n`],
    ['the head', () => 'X-A: ', () => 'a'.repeat(1_000)],
    ['headers', () => '', () => 'X-A: a\r\n'.repeat(100)],
  ])('in %s are a 4xx or closed', async (_what, first, more) => {
    const socket = await openRaw(live.gateway.port, `POST ${RPC} HTTP/1.1\r\nHost: x\r\n${bearer()}${first()}`);
    const { lastedMs, text } = await lastsWhile(socket, (open) => open.write(more()), 5, 20_000);
    expect(lastedMs).toBeLessThan(10_000);
    expect(text).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    expectCharged(live.gateway, await call(), 20);
  });
});

describe('heads that are all head', () => {
  test.each([
    ['201 headers', (index: number) => `a${index}: \r\n`, 201],
    ['3,000 headers of no name to speak of', () => 'a:\r\n', 3_000],
    // A client that keeps sending may not receive the reason.
    ['a million headers', () => 'a:\r\n', 1_000_000],
  ])('%s are 431', async (_what, header, count) => {
    const headers = Array.from({ length: count }, (_none, index) => header(index)).join('');
    for (const path of ['/api/health', '/rpc', RPC]) {
      const { status } = await sendRaw(live.gateway.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      expect(count > 100_000 ? [0, 431] : [431], path).toContain(status);
    }
  });

  test('a target of 15 KB is a 4xx', async () => {
    for (const path of [
      `/${'a'.repeat(15_000)}`,
      `/api/${'a'.repeat(15_000)}`,
      `/api/${'a/'.repeat(7_000)}`,
      `/rpc?${'a'.repeat(15_000)}`,
    ]) {
      const { status } = await sendRaw(
        live.gateway.port,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }
  });
});

describe('connections that want something else', () => {
  test('an offer of another protocol, again and again on one connection, is served each time', async () => {
    const offer = `POST ${RPC} HTTP/1.1\r\nHost: x\r\n${bearer()}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = await openRaw(live.gateway.port, '');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    for (let i = 1; i <= 30; i++) {
      socket.write(offer);
      for (let turn = 0; turn < 400 && text.split('HTTP/1.1 ').length <= i; turn++)
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.destroy();
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(30);
  });

  test.each(['CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])(
    '%j is closed or a 4xx',
    async (bytes) => {
      const { status } = await sendRaw(live.gateway.port, bytes);
      expect(status === 0 || (status >= 400 && status < 500), String(status)).toBe(true);
    },
  );

  test('an expectation of 100 is met, and a body that never comes holds up nobody', async () => {
    const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\n${bearer()}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
    const waiting = await Promise.all(Array.from({ length: 200 }, () => openRaw(live.gateway.port, head)));
    expectCharged(live.gateway, await call(), 20);
    for (const socket of waiting) socket.destroy();
    const { text } = await sendRaw(
      live.gateway.port,
      head.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n') + body,
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('500 connections that say nothing, or half a head, hold up nobody', async () => {
    const idle = await Promise.all(
      Array.from({ length: 500 }, (_none, index) =>
        openRaw(live.gateway.port, index % 2 === 0 ? '' : `POST ${RPC} HTTP/1.1\r\nHo`),
      ),
    );
    const { elapsedMs, ...answer } = await call();
    expectCharged(live.gateway, { ...answer, elapsedMs, json: JSON.parse(answer.text) as unknown }, 20);
    expect(elapsedMs).toBeLessThan(5_000);
    for (const socket of idle) socket.destroy();
  });

  test('requests that wait for no answer are bounded', async () => {
    live.stub.answer(() => new Promise(() => undefined));
    const request = `GET ${RPC} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const slow = `POST ${RPC} HTTP/1.1\r\nHost: x\r\n${bearer()}X-A: 1\r\nX-A: 2\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { text } = await lastsWhile(
      await openRaw(live.gateway.port, slow.repeat(1_000)),
      (socket) => socket.write(request),
      100,
      3_000,
    );
    expect(text).not.toContain('HTTP/1.1 5');
    expect(live.stub.requests.length).toBeLessThanOrEqual(110);
    live.stub.reset();
    // Uses another call, because the first ones still run without their clients, and an equal call would wait for them.
    expectCharged(
      live.gateway,
      await live.gateway.rpc(body.replace('eth_chainId', 'eth_gasPrice'), { as: caller }),
      20,
    );
  });
});

describe('one request is one request, to everybody who reads it', () => {
  test.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'],
    ['a length of two', 'Content-Length: 5, 5\r\n\r\nhello'],
    ['a length with a sign', 'Content-Length: +5\r\n\r\nhello'],
    ['a length in hex', 'Content-Length: 0x5\r\n\r\nhello'],
    ['a length below zero', 'Content-Length: -1\r\n\r\nhello'],
    ['a length without end', `Content-Length: ${'9'.repeat(40)}\r\n\r\nhello`],
    ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['chunks by another name', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunks behind a tab', 'Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['white space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a folded line', 'X-A: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'X-A: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bare carriage return', 'X-A: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\n\r\n\r\n'],
    ['a chunk of a size with a sign', 'Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', 'Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n'],
  ])('%s is 400, and what follows is not served', async (_what, rest) => {
    live.stub.reset();
    for (const path of [RPC, '/api/health', '/rpc']) {
      const smuggled = `GET /api/health?smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { text } = await sendRaw(
        live.gateway.port,
        `POST ${path} HTTP/1.1\r\nHost: x\r\n${bearer()}${rest}${smuggled}`,
      );
      const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
      expect(statuses.at(-1), text.slice(0, 300)).toBe(400);
      expect(text).not.toContain('"status":"ok"');
    }
    expect(live.stub.requests).toHaveLength(0);
  });

  test('an answer of ours comes in its place, also where a refusal follows', async () => {
    const { text } = await sendRaw(
      live.gateway.port,
      `GET /api/health HTTP/1.1\r\nHost: x\r\n\r\nGET /rpc HTTP/1.1\r\nHost: x\r\n\r\nGET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    );
    expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)).toEqual(['200', '200', '400']);
  });

  test('and is for nobody else', async () => {
    const answer = await exchange(live.gateway.port, { method: 'GET', path: '/api/health' });
    expect(answer.status).toBe(200);
  });
});
