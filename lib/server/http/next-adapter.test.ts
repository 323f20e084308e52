import { describe, expect, it } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { setServedApi } from './served-api';
import { testGateway } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';
import { json } from './call';
import type { Endpoint } from './endpoint';
import { nextFallback, nextRoute } from './next-adapter';

const LIMIT = 100;
const endpoint: Endpoint = {
  path: '/api/x/{name}',
  GET: (call) =>
    json({ params: call.params, query: call.query.get('q'), ip: call.clientIp, header: call.header('x-a') }),
  POST: async (call) => json({ bytes: (await call.readBody(LIMIT)).byteLength }),
};
const url = 'http://localhost/api/x/a%2Fb?q=1';

async function ready(endpoints: readonly Endpoint[] = [endpoint]) {
  setServedApi(await testGateway({}, endpoints));
  return { route: nextRoute(endpoint.path), fallback: nextFallback() };
}

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
const chunks = (count: number, size: number) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let i = 0; i < count; i++) controller.enqueue(new Uint8Array(size));
      controller.close();
    },
  });

/** Reads the body in parts. */
const inParts: Endpoint = {
  ...endpoint,
  POST: async (call) => {
    let bytes = 0;
    for await (const part of call.streamBody(LIMIT)) bytes += part.byteLength;
    return json({ bytes });
  },
};

describe('a route of Next', () => {
  it('passes on parameters, query, headers and the address, and answers with id and CORS headers', async () => {
    const { route } = await ready();
    const response = await throughEntry(
      route.GET,
      new Request(url, { headers: { 'x-a': 'b', 'x-turnpike-peer': '6.6.6.6', 'x-forwarded-for': '9.9.9.9' } }),
    );
    expect(await response.json()).toEqual({ params: { name: 'a/b' }, query: '1', ip: '1.1.1.1', header: 'b' });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('answers wrong verbs, preflights and HEAD as the other entry does', async () => {
    const { route } = await ready();
    expect((await throughEntry(route.PUT, new Request(url, { method: 'PUT' }))).status).toBe(405);
    const preflight = await throughEntry(route.OPTIONS, new Request(url, { method: 'OPTIONS' }));
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
    const head = await throughEntry(route.HEAD, new Request(url, { method: 'HEAD' }));
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('leads nowhere where the gateway does not serve its endpoint', async () => {
    const { route } = await ready([]);
    const response = await throughEntry(route.GET, new Request(url));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('answers a path that cannot be read with 400', async () => {
    const { route } = await ready();
    expect((await throughEntry(route.GET, new Request('http://localhost/api/x/%ff'))).status).toBe(400);
  });

  it('answers everything else through the fallback', async () => {
    const { fallback } = await ready();
    expect((await throughEntry(fallback.GET, new Request('http://localhost/api/nothing'))).status).toBe(404);
    expect((await throughEntry(fallback.GET, new Request(url))).status).toBe(200);
  });

  it('goes by what the entry says, never by what Next made of a request, or by its headers', async () => {
    const { route, fallback } = await ready([endpoint, { path: '/api/y', GET: () => json('y') }]);
    expect((await throughEntry(route.GET, new Request(url), { method: 'TRACE' })).status).toBe(405);
    for (const path of ['/x/../api/x/a', '/api/X/a', '/api/y', '/api//x/a', '/rpc'])
      expect((await throughEntry(route.GET, new Request(url), { path })).status, path).toBe(404);
    expect(await (await throughEntry(fallback.GET, new Request(url), { path: '/api/y' })).json()).toBe('y');
  });

  it('leads nowhere for what came by no entry, whatever it says of itself', async () => {
    const { route, fallback } = await ready();
    const headers = {
      'x-turnpike-peer': '1.1.1.1',
      'x-turnpike-path': encodeURIComponent('/api/x/a'),
      'x-turnpike-method': 'GET',
    };
    for (const handler of [route.GET, route.POST, fallback.GET])
      expect((await handler(new Request(url, { method: 'POST', headers }))).status).toBe(404);
  });
});

describe('body limits of a route of Next', () => {
  it.each([
    ['of exactly the limit', () => post('x'.repeat(LIMIT)), 200],
    ['in chunks up to the limit', () => post(chunks(4, 25)), 200],
    ['of none at all', () => new Request(url, { method: 'POST' }), 200],
    ['announced beyond it', () => post('x', { 'content-length': String(LIMIT + 1) }), 413],
    ['in chunks beyond it', () => post(chunks(5, 25)), 413],
  ])('a body %s', async (_name, request, status) => {
    for (const read of [endpoint, inParts]) {
      const { route } = await ready([read]);
      expect((await throughEntry(route.POST, request())).status).toBe(status);
    }
  });

  it('a body that breaks off is the client gone, not our fault', async () => {
    const codes: unknown[] = [];
    const broken: Endpoint = {
      ...endpoint,
      POST: (call) =>
        Promise.resolve(call.readBody(LIMIT)).then(
          () => json({}),
          (error: unknown) => {
            codes.push(isApiError(error) ? error.code : error);
            return json({});
          },
        ),
    };
    setServedApi(await testGateway({}, [broken]));
    await throughEntry(
      nextRoute(broken.path).POST,
      post(new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })),
    );
    expect(codes).toEqual(['CLIENT_CLOSED_REQUEST']);
  });
});

it('a client that goes away is told to the call', async () => {
  const gone: string[] = [];
  const waiting: Endpoint = {
    ...endpoint,
    GET: (call) => {
      call.whenGone(() => gone.push('gone already'))();
      return new Promise((resolve) =>
        call.whenGone(() => {
          gone.push('gone');
          resolve(json({}));
        }),
      );
    },
  };
  setServedApi(await testGateway({}, [waiting]));
  const abort = new AbortController();
  const answered = throughEntry(nextRoute(waiting.path).GET, new Request(url, { signal: abort.signal }));
  setTimeout(() => abort.abort(), 10);
  await answered;
  await throughEntry(nextRoute(waiting.path).GET, new Request(url, { signal: abort.signal }));
  expect(gone).toEqual(['gone', 'gone already', 'gone']);
});
