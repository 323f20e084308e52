import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../config/secret';
import { serve } from '@/test/test-gateway';
import type { Asker } from './asker';
import { CancelSignal } from './asker';
import { Upstream, type UpstreamOptions } from './upstream';
import { isUpstreamFailure, type UpstreamFailure } from './upstream-failure';

const TIMEOUT_MS = 150;
/** Timeout of requests that succeed, even on a busy machine. */
const ENOUGH_MS = 10_000;
const KEY = 'k3y-of-the-provider';

function upstreamAt(
  url: string,
  headers: Record<string, string> = {},
  options: Partial<UpstreamOptions> = {},
): Upstream {
  const secrets = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, new Secret(value)]));
  const upstream = new Upstream(
    { url: new Secret(url), headers: secrets },
    { connections: 4, connectTimeoutMs: ENOUGH_MS, answerBytesMax: 10_000, ...options },
  );
  onTestFinished(() => upstream.close());
  return upstream;
}

async function node(
  script: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<UpstreamOptions> = {},
) {
  const { port, server } = await serve(script);
  return {
    server,
    port,
    upstream: upstreamAt(`http://user:${KEY}@127.0.0.1:${port}/v1/${KEY}?key=${KEY}`, {}, options),
  };
}

async function rawNode(script: (socket: Socket) => void): Promise<Upstream> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => script(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return upstreamAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}`);
}

/** Returns the failure of a post. Expects that it names no secret and comes within the timeout. */
async function failure(upstream: Upstream, asker?: Asker): Promise<UpstreamFailure> {
  const before = performance.now();
  const error = await upstream.post('{}', TIMEOUT_MS, asker).then(
    ({ bytes }) => {
      throw new Error(`Answered: ${bytes.toString()}`);
    },
    (reason: unknown) => reason,
  );
  expect(performance.now() - before).toBeLessThan(TIMEOUT_MS + 400);
  if (!isUpstreamFailure(error)) throw error;
  expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(
    new RegExp(`${KEY}|127\\.0\\.0\\.1|user|localhost|invalid|(?<!Ms"):\\d{4,5}`),
  );
  return error;
}

describe('a whole answer', () => {
  it('is collected exactly, from a POST with the path, the query and the credentials of the URL', async () => {
    const seen: unknown[] = [];
    const { upstream } = await node(({ method, url, headers }, response) => {
      seen.push(method, url, headers.authorization, headers['content-type']);
      response.write('{"a":');
      setTimeout(() => response.end('"é"}'), 10);
    });
    expect((await upstream.post('{}', ENOUGH_MS)).bytes.toString()).toBe('{"a":"é"}');
    expect(seen).toEqual([
      'POST',
      `/v1/${KEY}?key=${KEY}`,
      `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`,
      'application/json',
    ]);
  });

  it('names its client as it is configured', async () => {
    const { port } = await serve(({ headers }, response) => response.end(headers['user-agent']));
    const { bytes } = await upstreamAt(`http://127.0.0.1:${port}`, { 'User-Agent': 'curl/8.5.0' }).post(
      '{}',
      ENOUGH_MS,
    );
    expect(bytes.toString()).toBe('curl/8.5.0');
  });

  it('comes with configured headers, which go before those of the URL', async () => {
    const { port } = await serve(({ headers }, response) => response.end(headers.authorization));
    expect(
      (
        await upstreamAt(`http://u:p@127.0.0.1:${port}`, { authorization: 'Bearer x' }).post('{}', ENOUGH_MS)
      ).bytes.toString(),
    ).toBe('Bearer x');
  });

  it('of exactly the largest size is accepted', async () => {
    const { upstream } = await node((_request, response) => response.end('x'.repeat(10_000)));
    expect((await upstream.post('{}', ENOUGH_MS)).bytes).toHaveLength(10_000);
  });

  it('is followed by others on connections that are kept', async () => {
    let connections = 0;
    const { upstream, server } = await node((_request, response) => response.end('{}'));
    server.on('connection', () => connections++);
    for (let i = 0; i < 20; i++) await upstream.post('{}', ENOUGH_MS);
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('may be announced by interim responses', async () => {
    const upstream = await rawNode((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    );
    expect((await upstream.post('{}', ENOUGH_MS)).bytes.toString()).toBe('{}');
  });
});

describe('no whole answer is a failure, in bounded time, that names no URL', () => {
  it('connection refused', async () => {
    const { port, server } = await serve(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(upstreamAt(`http://127.0.0.1:${port}/${KEY}`))).toMatchObject({
      reason: 'connection',
      message: 'it refused the connection',
    });
  });

  it('a host that is not known', async () => {
    const error = await failure(upstreamAt(`http://nothing.invalid/${KEY}`));
    expect(['connection', 'timeout']).toContain(error.reason);
  });

  it('silence', async () => {
    const { upstream } = await node(() => undefined);
    expect(await failure(upstream)).toMatchObject({
      reason: 'timeout',
      message: `it returned no complete answer within ${TIMEOUT_MS} ms`,
    });
  });

  it('a slow drip', async () => {
    const { upstream } = await node((_request, response) => {
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure(upstream)).toMatchObject({ reason: 'timeout' });
  });

  it('a reset in the middle', async () => {
    const { upstream } = await node((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"result":');
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failure(upstream)).toMatchObject({ reason: 'connection' });
  });

  it('a chunked answer without its end', async () => {
    const upstream = await rawNode((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'),
    );
    expect(await failure(upstream)).toMatchObject({ reason: 'connection' });
  });

  it('bytes that are no HTTP', async () => {
    const upstream = await rawNode((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    expect(await failure(upstream)).toMatchObject({ reason: 'connection' });
  });

  it('a hang-up without a word', async () => {
    const upstream = await rawNode((socket) => socket.destroy());
    expect(await failure(upstream)).toMatchObject({ reason: 'connection' });
  });

  it('too large, announced or not', async () => {
    const message = 'its answer is larger than 10000 bytes';
    const announced = await node((_request, response) => response.end('x'.repeat(10_001)));
    expect(await failure(announced.upstream)).toMatchObject({ reason: 'too-large', message });
    const endless = await node((_request, response) => {
      const more = (): boolean => response.write('x'.repeat(4_000)) && more();
      response.on('drain', more);
      more();
    });
    expect(await failure(endless.upstream)).toMatchObject({ reason: 'too-large', message });
  });

  it.each([201, 204, 301, 302, 401, 429, 500, 503])('status %i, redirects not followed', async (status) => {
    let requests = 0;
    const { upstream } = await node((_request, response) => {
      requests++;
      response
        .writeHead(status, { location: `http://127.0.0.1/${KEY}` })
        .end(status === 204 ? undefined : '{"error":"see http://127.0.0.1"}');
    });
    expect(await failure(upstream)).toMatchObject({
      reason: status === 429 ? 'rate-limited' : 'status',
      message: `it answered with status ${status}`,
      facts: { status },
    });
    expect(requests).toBe(1);
  });

  it('an asker that takes the question back, which the node is told', async () => {
    let gone = false;
    const { upstream } = await node((_request, response) => response.on('close', () => (gone = true)));
    const asker = new CancelSignal();
    const started = failure(upstream, asker);
    setTimeout(() => asker.cancel(), 30);
    expect(await started).toMatchObject({ reason: 'aborted' });
    for (let i = 0; i < 100 && !gone; i++) await sleep(2);
    expect(gone).toBe(true);
  });

  it('an asker that has gone already: nothing is sent', async () => {
    let requests = 0;
    const { upstream } = await node((_request, response) => {
      requests++;
      response.end('{}');
    });
    const gone = new CancelSignal();
    gone.cancel();
    expect(await failure(upstream, gone)).toMatchObject({ reason: 'aborted' });
    await sleep(20);
    expect(requests).toBe(0);
  });

  it('one that was closed', async () => {
    const { upstream } = await node((_request, response) => response.end('{}'));
    await upstream.close();
    expect(await failure(upstream)).toMatchObject({ reason: 'connection' });
  });

  it('more at once than there are connections: those that wait too long fail, and are never sent', async () => {
    let requests = 0;
    const { upstream } = await node(() => requests++, { connections: 1 });
    const failures = await Promise.all([failure(upstream), failure(upstream), failure(upstream)]);
    expect(failures.map(({ reason }) => reason)).toEqual(['timeout', 'busy', 'busy']);
    await sleep(50);
    expect(requests).toBe(1);
  });
});

it('an answer is asked for without compression, by a client with a name, and is no JSON where it is compressed', async () => {
  const { upstream } = await node(({ headers }, response) => {
    expect(headers).toMatchObject({
      'accept-encoding': 'identity',
      'user-agent': expect.stringMatching(/^turnpike\/\d+\.\d+\.\d+$/),
    });
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"result":1}'));
  });
  await expect(upstream.post('{}', ENOUGH_MS)).rejects.toMatchObject({ reason: 'not-json' });
});

it('a failure leaves the next call unharmed', async () => {
  let requests = 0;
  const { upstream } = await node((_request, response) =>
    requests++ % 2 === 0 ? response.destroy() : response.end('{}'),
  );
  for (let i = 0; i < 5; i++) {
    await failure(upstream);
    expect((await upstream.post('{}', ENOUGH_MS)).bytes.toString()).toBe('{}');
  }
});
