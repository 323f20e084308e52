import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { serve, testGateway } from '@/test/test-gateway';
import { json } from './call';
import type { Endpoint } from './endpoint';
import { nodeListener } from './node-adapter';

const LIMIT = 1_000;

/** Serves these handlers at /api/x, and an endpoint that answers with the length of its body. */
async function serving(handlers: Partial<Endpoint> = {}, env?: Record<string, string>) {
  const size: Endpoint = {
    path: '/api/size',
    POST: async (call) => json({ bytes: (await call.readBody(LIMIT)).byteLength }),
  };
  const parts: Endpoint = {
    path: '/api/parts',
    POST: async (call) => {
      let bytes = 0;
      for await (const part of call.streamBody(LIMIT)) bytes += part.byteLength;
      return json({ bytes });
    },
  };
  const left: Endpoint = {
    path: '/api/left',
    POST: async (call) => {
      for await (const part of call.streamBody(100_000_000)) return json({ some: part.byteLength > 0 });
      return json({});
    },
  };
  const gateway = await testGateway(env, [size, parts, left, { path: '/api/x', ...handlers }]);
  return serve(nodeListener(gateway));
}

/** Opens a raw connection and collects what it receives. */
function dial(port: number): Promise<{
  socket: Socket;
  received: () => string;
  until: (pattern: RegExp) => Promise<string>;
  closed: Promise<void>;
}> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  const until = async (pattern: RegExp): Promise<string> => {
    for (let i = 0; i < 400 && !pattern.test(text); i++) await sleep(5);
    return text;
  };
  return new Promise((resolve) =>
    socket.once('connect', () => resolve({ socket, received: () => text, until, closed })),
  );
}

const SMALL = 'POST /api/size HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';

describe.each(['size', 'parts'])('body limits of a body that is read as its %s', (way) => {
  it('a body of exactly the limit is read, announced or chunked', async () => {
    const { origin } = await serving();
    const whole = await fetch(`${origin}/api/${way}`, { method: 'POST', body: 'x'.repeat(LIMIT) });
    expect(await whole.json()).toEqual({ bytes: LIMIT });
    const stream = new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 10; i++) controller.enqueue(new Uint8Array(LIMIT / 10));
        controller.close();
      },
    });
    const chunked = await fetch(`${origin}/api/${way}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(await chunked.json()).toEqual({ bytes: LIMIT });
  });

  it('no body at all is empty', async () => {
    const { origin } = await serving();
    expect(await (await fetch(`${origin}/api/${way}`, { method: 'POST' })).json()).toEqual({ bytes: 0 });
  });

  it('an announced length beyond the limit is 413 before the body comes, and the connection serves the next request', async () => {
    const { port } = await serving();
    const { socket, until } = await dial(port);
    socket.write(`POST /api/${way} HTTP/1.1\r\nHost: a\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`);
    expect(await until(/\r\n\r\n\{.*\}/)).toMatch(/^HTTP\/1\.1 413 [\s\S]*BODY_TOO_LARGE/);
    socket.write('x'.repeat(LIMIT + 1) + SMALL);
    expect(await until(/HTTP\/1\.1 200/)).toMatch(/\{"bytes":2\}$/);
  });

  it('a chunked body beyond the limit is 413 as soon as it is, and the connection serves the next request', async () => {
    const { port } = await serving();
    const { socket, until } = await dial(port);
    socket.write(`POST /api/${way} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `1f4\r\n${'x'.repeat(500)}\r\n`;
    socket.write(chunk.repeat(3));
    expect(await until(/BODY_TOO_LARGE[\s\S]*\}/)).toMatch(/^HTTP\/1\.1 413 /);
    socket.write(`${chunk.repeat(50)}0\r\n\r\n${SMALL}`);
    expect(await until(/HTTP\/1\.1 200/)).toMatch(/\{"bytes":2\}$/);
  });

  it('10 MB to a client that sends before it reads are answered 413, not reset', async () => {
    const { origin } = await serving();
    const response = await fetch(`${origin}/api/${way}`, { method: 'POST', body: Buffer.alloc(10_000_000) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      code: 'BODY_TOO_LARGE',
      error: expect.stringContaining(`The request body is larger than ${LIMIT} bytes.`),
    });
  });

  it('a length that lies is no way around them', async () => {
    const { port } = await serving();
    const { socket, until } = await dial(port);
    socket.write(`POST /api/${way} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(`7d0\r\n${'x'.repeat(2_000)}\r\n0\r\n\r\n`);
    expect(await until(/HTTP/)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

it('a handler that leaves a body early still answers, and the connection serves the next request', async () => {
  const { port } = await serving();
  const { socket, until } = await dial(port);
  socket.write(`POST /api/left HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`);
  expect(await until(/\{"some":true\}/)).toMatch(/^HTTP\/1\.1 200 /);
  socket.write('x'.repeat(100_000) + SMALL);
  expect(await until(/\{"bytes":2\}/)).toMatch(/\{"bytes":2\}$/);
});

describe('long bodies of many clients at once', () => {
  const CLIENTS = 6;
  const BODY_BYTES = 2 * 1024 * 1024;
  /** Bytes that may be read in a turn, plus what node:http had already read of each connection when it was paused. */
  const TURN_BYTES_MAX = 256 * 1024 + CLIENTS * 128 * 1024;

  /**
   * Serves this endpoint to clients that send simultaneously. @returns each client's answer and the maximum bytes read
   * in one turn of the event loop
   */
  async function flood(POST: Endpoint['POST']) {
    const listener = nodeListener(await testGateway({}, [{ path: '/api/x', ...(POST && { POST }) }]));
    const sockets = new Set<{ bytesRead: number }>();
    const { port } = await serve((request, response) => {
      sockets.add(request.socket);
      listener(request, response);
    });
    const read = (): number => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    let [most, before, isOver] = [0, 0, false];
    const watch = (): void => {
      const now = read();
      most = Math.max(most, now - before);
      before = now;
      if (!isOver) setImmediate(watch);
    };
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => dial(port)));
    watch();
    for (const { socket } of clients)
      socket.write(
        Buffer.concat([
          Buffer.from(`POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`),
          Buffer.alloc(BODY_BYTES, ' '),
        ]),
      );
    for (const { until } of clients) await until(/\}$/);
    for (let i = 0; i < 400 && read() < CLIENTS * BODY_BYTES; i++) await sleep(5);
    isOver = true;
    expect(read()).toBeGreaterThan(CLIENTS * BODY_BYTES);
    return { answers: clients.map(({ received }) => received()), most };
  }

  it('are read by turns, and whole', async () => {
    const { answers, most } = await flood(async (call) =>
      json({ bytes: (await call.readBody(BODY_BYTES)).byteLength }),
    );
    for (const answer of answers)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*\\{"bytes":${BODY_BYTES}\\}$`));
    expect(most).toBeLessThan(TURN_BYTES_MAX);
  });

  it('are let go of by turns where they are refused for their length, or read by nobody', async () => {
    const refused = await flood(async (call) => json({ bytes: (await call.readBody(LIMIT)).byteLength }));
    for (const answer of refused.answers) expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*BODY_TOO_LARGE/);
    const unread = await flood(() => json({ read: false }));
    for (const answer of unread.answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"read":false\}$/);
    expect(refused.most).toBeLessThan(TURN_BYTES_MAX);
    expect(unread.most).toBeLessThan(TURN_BYTES_MAX);
  });
});

describe('a client that goes away', () => {
  it('is told to a call that runs, once, and to no other', async () => {
    const gone: string[] = [];
    let running = 0;
    const { port, origin } = await serving({
      GET: async (call) => {
        running++;
        call.whenGone(() => gone.push('not listening any more'))();
        await new Promise<void>((resolve) => {
          call.whenGone(() => {
            gone.push('running');
            resolve();
          });
        });
        call.whenGone(() => gone.push('asked afterwards'));
        return json({});
      },
      POST: (call) => {
        call.whenGone(() => gone.push('answered'));
        return json({});
      },
    });
    const { socket } = await dial(port);
    socket.write('GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n');
    while (running === 0) await sleep(2);
    expect(gone).toEqual([]);
    socket.destroy();
    for (let i = 0; i < 200 && gone.length < 2; i++) await sleep(5);
    await fetch(`${origin}/api/x`, { method: 'POST', headers: { connection: 'close' } });
    await sleep(20);
    expect(gone).toEqual(['running', 'asked afterwards']);
  });

  it.each([0, 50])(
    'in the middle of its body fails the reading of it, also when the reading begins %i ms later',
    async (delayMs) => {
      const codes: string[] = [];
      const { port } = await serving({
        POST: async (call) => {
          await sleep(delayMs);
          await Promise.resolve(call.readBody(LIMIT)).catch((error: unknown) =>
            codes.push(isApiError(error) ? error.code : String(error)),
          );
          return json({});
        },
      });
      const { socket } = await dial(port);
      socket.write('POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
      await sleep(20);
      socket.destroy();
      for (let i = 0; i < 200 && codes.length === 0; i++) await sleep(5);
      expect(codes).toEqual(['CLIENT_CLOSED_REQUEST']);
    },
  );
});

describe('answers', () => {
  it('carry a request id of 32 hex characters, an exact length and CORS headers', async () => {
    const { origin } = await serving({ GET: () => json({ text: 'é😀' }) });
    const response = await fetch(`${origin}/api/x?a=1`);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength('{"text":"é😀"}')));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-ID');
    expect(await response.json()).toEqual({ text: 'é😀' });
  });

  it('to HEAD are those to GET without the body', async () => {
    const { origin } = await serving({ GET: () => json({ a: 1 }) });
    const response = await fetch(`${origin}/api/x`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '7', '']);
  });

  it('to a preflight name the verbs, and have no body', async () => {
    const { origin } = await serving({ GET: () => json({}), POST: () => json({}) });
    const response = await fetch(`${origin}/api/x`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
    expect(response.headers.get('content-length')).toBeNull();
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'POST'])('to the wrong verb %s are 405 with Allow', async (method) => {
    const { origin } = await serving({ GET: () => json({}) });
    const response = await fetch(`${origin}/api/x`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  it('to a path that leads nowhere are 404', async () => {
    const { origin } = await serving();
    const missing = await fetch(`${origin}/api/nothing`);
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('to a handler that fails are 500 and say nothing of the inside', async () => {
    const { origin } = await serving({
      GET: () => {
        throw new Error('secret detail');
      },
    });
    const response = await fetch(`${origin}/api/x`);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL' });
  });

  it('are streamed where the body is a stream, and one that breaks off is not taken as whole', async () => {
    const part = (text: string) => new TextEncoder().encode(text);
    const { origin } = await serving({
      GET: (call) => ({
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(part('a'));
            controller.enqueue(part('b'));
            if (call.query.get('break')) setTimeout(() => controller.error(new Error('broken')), 10);
            else controller.close();
          },
        }),
      }),
    });
    expect(await (await fetch(`${origin}/api/x`)).text()).toBe('ab');
    await expect(fetch(`${origin}/api/x?break=1`).then((response) => response.text())).rejects.toThrow();
  });
});

describe('the client address', () => {
  it.each([
    ['0', '127.0.0.1'],
    ['1', '2.2.2.2'],
    ['2', '1.1.1.1'],
  ])('behind %s trusted proxies is %s', async (hops, address) => {
    const gateway = await testGateway({}, [{ path: '/api/x', GET: (call) => json(call.clientIp) }]);
    const { port } = await serve(nodeListener({ ...gateway, trustProxyHops: Number(hops) }));
    const text = await new Promise<string>((resolve) => {
      httpRequest({ port, path: '/api/x', headers: { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' } }, (response) =>
        response.on('data', (chunk: Buffer) => resolve(chunk.toString())),
      ).end();
    });
    expect(JSON.parse(text)).toBe(address);
  });

  it('is that of all lines of a header together', async () => {
    const gateway = await testGateway({}, [{ path: '/api/x', GET: (call) => json(call.clientIp) }]);
    const { port } = await serve(nodeListener({ ...gateway, trustProxyHops: 1 }));
    for (const [name, lines, address] of [
      ['x-forwarded-for', ['6.6.6.6', '[2001:DB8::1]:80'], '2001:db8::1'],
      ['forwarded', ['for=6.6.6.6', 'for="[2001:db8::1]"'], '2001:db8::1'],
    ] as const) {
      const text = await new Promise<string>((resolve) => {
        httpRequest({ port, path: '/api/x', headers: { [name]: [...lines] } }, (response) =>
          response.on('data', (chunk: Buffer) => resolve(chunk.toString())),
        ).end();
      });
      expect(JSON.parse(text)).toBe(address);
    }
  });
});
