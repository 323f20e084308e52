import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { entryFacts } from './entry-facts';
import { prepareForNext, standBefore } from './next-entry';

function prepared(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const request = {
    url,
    method,
    headers: { ...headers },
    socket: { remoteAddress: '10.0.0.7' },
  } as unknown as IncomingMessage;
  const sent: string[] = [];
  const facts = prepareForNext(request, {
    setHeader: (name: string, value: string) => sent.push(`${name}: ${value}`),
  } as unknown as ServerResponse);
  return { sent, facts, url: request.url, method: request.method, headers: request.headers };
}

describe('an API request on its way to Next', () => {
  it('of an ordinary path finds its own route; what came travels beside it', () => {
    expect(prepared('/api/v1/crypto/rpc/base-mainnet?a=%20', { method: 'POST' })).toEqual({
      sent: [],
      url: '/api/v1/crypto/rpc/base-mainnet',
      method: 'POST',
      headers: {},
      facts: {
        peer: '10.0.0.7',
        path: '/api/v1/crypto/rpc/base-mainnet',
        query: '?a=%20',
        method: 'POST',
        acceptEncoding: null,
        encodedAs: expect.any(Function),
        disconnect: expect.any(Function),
      },
    });
  });

  it('cannot bring these facts itself: no header is read, none is written', () => {
    const forged = { 'x-turnpike-peer': '1.2.3.4', 'x-turnpike-path': '%2Fapi', 'x-turnpike-method': 'GET' };
    const { facts, headers } = prepared('/api/health', { headers: forged });
    expect(facts).toEqual({
      peer: '10.0.0.7',
      path: '/api/health',
      query: '',
      method: 'GET',
      acceptEncoding: null,
      encodedAs: expect.any(Function),
      disconnect: expect.any(Function),
    });
    expect(headers).toEqual({});
  });

  it('gives Next no orders, and keeps what is for us', () => {
    const orders = [
      'rsc',
      'next-url',
      'next-router-prefetch',
      'next-action',
      'x-nextjs-data',
      'x-next-cache-tags',
      'x-middleware-subrequest',
      'x-invoke-path',
      'x-matched-path',
      'x-now-route-matches',
      'x-prerender-revalidate',
      'x-vercel-id',
      'cookie',
      'purpose',
      'x-forwarded-host',
    ];
    const ours = [
      'authorization',
      'x-payment',
      'payment-signature',
      'sign-in-with-x',
      'x-sign-in-with-x',
      'idempotency-key',
      'x-forwarded-for',
      'forwarded',
      'x-service-tee-client-pub-key',
      'x-client-pub-key',
      'host',
      'origin',
      'x-nextel',
      'nextcloud',
    ];
    const headers = Object.fromEntries([...orders, ...ours].map((name) => [name, '1']));
    expect(Object.keys(prepared('/api/health', { headers }).headers).sort()).toEqual([...ours].sort());
  });

  it('is compressed by us and not by Next, which does not hear of it', () => {
    const { facts, headers, sent } = prepared('/api/health', {
      headers: { 'accept-encoding': 'gzip, br', accept: '*/*' },
    });
    expect([facts.acceptEncoding, headers]).toEqual(['gzip, br', { accept: '*/*' }]);
    facts.encodedAs('br');
    expect(sent).toEqual(['content-encoding: br']);
  });

  it.each([
    ...[
      '*',
      '/api',
      '/api/',
      '/api/v1//x',
      '//api/v1/x',
      '/api/v1/x/',
      '/api/%zz',
      '/api/%',
      '/api/%61',
      '/api/a/../b',
      '/api/./b',
      '/api/..',
      '/api\\x',
      '\\api\\x',
      '/API/x',
      '/x/../api/health',
      '/%2e/api/health',
    ],
    ...[
      '/api/health#x',
      '/api/a;b',
      '/api/[...path]',
      '/api/\u00e9',
      '/_next/data/x/api/health.json',
      'ftp://x/api/health',
      '/api/x:y@z',
    ],
  ])('of a path that Next would read in a way of its own goes to the fallback: %s', (path) => {
    const { url, facts } = prepared(`${path}?q=1`);
    expect(url).toBe('/api/unrouted');
    expect([facts.path, facts.query]).toEqual([path, '?q=1']);
  });

  it('with an odd verb is kept from Next, for a 405 that names it', () => {
    const { url, method, facts } = prepared('/api/health', { method: 'TRACE' });
    expect({ url, method, said: facts.method }).toEqual({ url: '/api/unrouted', method: 'PUT', said: 'TRACE' });
  });
});

describe('the entry before a server', () => {
  /** Starts a server behind the entry that returns what reached it. */
  async function guarded(isDevelopment = false) {
    const upgrades: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      // Next answers in a later turn.
      setTimeout(
        () =>
          response.end(
            JSON.stringify({
              url: request.url,
              method: request.method,
              headers: request.headers,
              facts: entryFacts() ?? null,
            }),
          ),
        5,
      );
    });
    server.on('upgrade', (request, socket) => {
      upgrades.push(request.url);
      socket.end('HTTP/1.1 418 Theirs\r\n\r\n');
    });
    standBefore(server, isDevelopment);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { upgrades, port: (server.address() as AddressInfo).port };
  }

  const ask = (
    port: number,
    path: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ) =>
    new Promise<{ status: number; headers: Record<string, unknown>; json: Record<string, unknown> }>(
      (resolve, reject) => {
        const request = httpRequest({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              json: JSON.parse(text || '{}') as Record<string, unknown>,
            }),
          );
        });
        request.on('error', reject).end();
      },
    );

  function raw(port: number, text: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket
        .on('data', (chunk) => (answer += chunk.toString()))
        .on('error', () => undefined)
        .on('close', () => resolve(answer));
    });
  }

  it('lets pages pass without facts, without orders to Next, and with headers that protect them', async () => {
    const { port } = await guarded();
    const orders = {
      'x-middleware-subrequest': 'proxy',
      'x-turnpike-path': 'x',
      'next-action': 'a',
      cookie: '__prerender_bypass=1',
      'x-forwarded-host': 'evil',
      'x-nonce': 'n',
      accept: '*/*',
    };
    const { json, headers } = await ask(port, '/rpc?x=1', { headers: orders });
    expect(json).toMatchObject({ url: '/rpc?x=1', facts: null });
    expect(Object.keys(json.headers as object).sort()).toEqual(['accept', 'connection', 'host']);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('passes the facts of an API request to its handler, even if many requests run concurrently', async () => {
    const { port } = await guarded();
    const paths = Array.from({ length: 20 }, (_none, index) => `/api/${index}${index % 2 ? '/' : ''}`);
    const answers = await Promise.all(paths.map((path) => ask(port, path)));
    expect(answers.map(({ json }) => (json.facts as { path: string }).path)).toEqual(paths);
    expect(answers.map(({ json }) => json.url)).toEqual(
      paths.map((path) => (path.endsWith('/') ? '/api/unrouted' : path)),
    );
  });

  it('tells each of several requests of one connection its own', async () => {
    const { port } = await guarded();
    const text = await raw(
      port,
      ['/api/a', '/api/b/', '/rpc', '/api/c']
        .map((path, index) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${index === 3 ? 'Connection: close\r\n' : ''}\r\n`)
        .join(''),
    );
    expect(Array.from(text.matchAll(/"facts":(?:null|\{[^}]*"path":"([^"]+)")/g), ([, path]) => path)).toEqual([
      '/api/a',
      '/api/b/',
      undefined,
      '/api/c',
    ]);
  });

  it('answers a client that ends its side after its request, for the API and for pages', async () => {
    const { port } = await guarded();
    for (const path of ['/api/a', '/rpc']) {
      const answer = await new Promise<string>((resolve) => {
        let text = '';
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
          socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
        );
        socket
          .on('data', (chunk) => (text += chunk.toString()))
          .on('error', () => undefined)
          .on('close', () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"method":"GET"/);
    }
  });

  it('takes other verbs than GET and HEAD to no page, and a request of two hosts to nobody', async () => {
    const { port } = await guarded();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
      expect((await ask(port, '/rpc', { method })).status, method).toBe(405);
    expect(await raw(port, 'GET /rpc HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"code":"MALFORMED_REQUEST"/,
    );
    expect(await raw(port, 'GET /api/health HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*contains no host/);
  });

  it('refuses WebSockets in production, and a whole URL always', async () => {
    const offer = (target: string) =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    const production = await guarded();
    for (const target of ['/', '/_next/webpack-hmr', 'http://127.0.0.1:1/'])
      expect(await raw(production.port, offer(target)), target).toMatch(/^HTTP\/1\.1 404 /);
    expect(production.upgrades).toEqual([]);
    const development = await guarded(true);
    expect(await raw(development.port, offer('http://127.0.0.1:1/'))).toMatch(/^HTTP\/1\.1 404 /);
    expect(await raw(development.port, offer('/_next/webpack-hmr'))).toMatch(/^HTTP\/1\.1 418 /);
    expect(development.upgrades).toEqual(['/_next/webpack-hmr']);
  });
});
