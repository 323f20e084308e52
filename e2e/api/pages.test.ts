/**
 * @at next: Next serves pages itself, without our listener in front.
 * @not postgres: pages do not use the database.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { type Answer, exchange } from './harness/http-exchange';
import { drawing, randomOrders, ROUTER_STATE as STATE } from './harness/next-orders';
import { chosenEntry } from './harness/entries';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import { sendRaw } from './harness/raw-socket';
import { repositoryRoot } from './harness/repository-root';

/**
 * The console's pages, requested in every way of browsers, caches and attackers: never a 500, and always with a policy.
 */

const PAGES = [...CONSOLE_PAGES.map(({ href }) => href), '/operator'];

let live: LiveGateway;

beforeAll(async () => {
  live = await startLiveGateway();
});
afterAll(() => live?.stop());

const ask = (path: string, headers: Record<string, string | string[]> = {}, method = 'GET'): Promise<Answer> =>
  exchange(live.gateway.port, { method, path, headers });

/** Checks every answer that a browser displays, including errors and redirects. */
function expectGuarded(answer: Answer, about: string): void {
  expect(answer.status, `${about}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  expect(
    String(answer.headers['x-request-id']),
    `X-Request-ID. ${about}: ${answer.status} ${JSON.stringify(answer.headers)}`,
  ).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers['x-powered-by'], about).toBeUndefined();
  // JSON cannot run scripts.
  if (answer.headers['content-type'] === 'application/json') return;
  const policy = String(answer.headers['content-security-policy']);
  expect(policy, `Content-Security-Policy. ${about}`).toContain("frame-ancestors 'none'");
  expect(policy.split('frame-ancestors'), `One policy. ${about}`).toHaveLength(2);
  expect(answer.headers['x-content-type-options'], about).toBe('nosniff');
  expect(answer.headers['x-frame-options'], about).toBe('DENY');
}

describe('every page has a policy with a nonce of its own, which its scripts have too', () => {
  test.each(PAGES)('%s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expectGuarded(answer, path);
    const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1];
    const scripts = answer.text.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  });

  test.each<[string, Record<string, string>]>([
    ['by a browser', { purpose: 'prefetch' }],
    ['by a browser of today', { 'sec-purpose': 'prefetch' }],
    ['by a browser that renders before', { 'sec-purpose': 'prefetch;prerender' }],
    ['by another', { 'x-purpose': 'preview', 'x-moz': 'prefetch' }],
    ["by Next's router", { 'next-router-prefetch': '1' }],
    ["by Next's router, for its payload", { rsc: '1', 'next-router-prefetch': '1' }],
    [
      "by Next's router, for a segment",
      { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
    ],
    [
      "by Next's router, for what is missing",
      { rsc: '1', 'next-router-prefetch': '2', 'next-router-state-tree': STATE, 'next-url': '/rpc' },
    ],
    ['by a middleware of old', { 'x-middleware-prefetch': '1', purpose: 'prefetch' }],
  ])('also where it is asked for as a prefetch: %s', async (_what, headers) => {
    for (const path of PAGES) {
      const answer = await ask(`${path}?_rsc=x`, headers);
      expectGuarded(answer, path);
      if (answer.status === 200) expect(answer.headers['content-security-policy']).toContain("'nonce-");
    }
  });

  test('and a client cannot choose the nonce', async () => {
    const answer = await ask('/rpc', {
      'x-nonce': 'forged',
      'content-security-policy': "script-src 'nonce-forged'",
      'content-security-policy-report-only': "script-src 'nonce-forged'",
      'next-router-prefetch': '1',
      purpose: 'prefetch',
    });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('forged');
  });
});

describe('whatever is no page has a policy under which nothing runs', () => {
  test.each([
    ['no page', 'GET', '/no-such-page'],
    ['no page, further down', 'GET', '/rpc/nothing'],
    ['a page with a slash', 'GET', '/rpc/'],
    ['no file', 'GET', '/_next/static/chunks/nothing.js'],
    ["the root of Next's files", 'GET', '/_next/static/'],
    ['an image of Next', 'GET', '/_next/image?url=http%3A%2F%2F127.0.0.1%3A1%2F&w=64&q=75'],
    ['the error page itself', 'GET', '/_error'],
    ['the other error page', 'GET', '/500'],
    ['the page of what is not found', 'GET', '/_not-found'],
    ['the page of what broke', 'GET', '/_global-error'],
    ['the payload of a page', 'GET', '/rpc.rsc'],
    ['a segment of a page', 'GET', '/rpc.segments/_tree.segment.rsc'],
    ['a text of a page', 'GET', '/rpc.txt'],
    ['a file of the application', 'GET', '/page'],
    ['the index by name', 'GET', '/index'],
    ['a page behind the index', 'GET', '/index/rpc'],
    ["the development server's", 'GET', '/__nextjs_original-stack-frames'],
    ["the development server's HMR", 'GET', '/_next/webpack-hmr'],
    ['a script in a path', 'GET', '/%3Cscript%3Ealert(1)%3C/script%3E'],
    ['a script in a query', 'GET', '/rpc?x=%3Cscript%3Ealert(1)%3C/script%3E'],
    ['a query that cannot be read', 'GET', '/rpc?%ff&%&%zz&__proto__=1&a[b]=c'],
    ['a query of Next', 'GET', '/rpc?__nextDataReq=1&__nextLocale=x&nxtPslug=x&__NEXT_PAGE=x&amp=1&nxtI=1'],
    ['a page that is posted to', 'POST', '/rpc'],
    ['a page that is deleted', 'DELETE', '/rpc'],
    ['a page that is asked for its options', 'OPTIONS', '/rpc'],
    ['a page that is traced', 'TRACE', '/rpc'],
    ['a page asked for with HEAD', 'HEAD', '/rpc'],
    ['a file', 'GET', '/icon.svg'],
  ])('%s', async (what, method, path) => {
    const answer = await ask(path, {}, method);
    expectGuarded(answer, what);
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.headers.location ?? '/').toMatch(/^\/(?![/\\])/);
  });

  test('files of the build', async () => {
    const folder = join(repositoryRoot, '.next/static/chunks');
    const file = readdirSync(folder).find((name) => name.endsWith('.js')) as string;
    const answer = await ask(`/_next/static/chunks/${file}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(readFileSync(join(folder, file), 'utf8'));
    expectGuarded(answer, file);
  });

  test('files of the build with Brotli say the same, under either entry', async () => {
    const folder = join(repositoryRoot, '.next/static/chunks');
    const file = readdirSync(folder).find(
      (name) => name.endsWith('.js') && statSync(join(folder, name)).size > 10_000,
    ) as string;
    const answer = await fetch(`http://localhost:${live.gateway.port}/_next/static/chunks/${file}`, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(answer.headers.get('content-encoding')).toBe(chosenEntry() === 'next' ? 'gzip' : 'br');
    expect(await answer.text()).toBe(readFileSync(join(folder, file), 'utf8'));
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

describe('nothing that a client says of the host or the way reaches a redirect or a page', () => {
  const EVIL = 'evil.example';
  test.each<[string, Record<string, string>]>([
    ['the host', { host: EVIL }],
    ['a forwarded host', { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https', 'x-forwarded-port': '444' }],
    ['a forwarded scheme', { 'x-forwarded-proto': 'javascript' }],
    ['Forwarded', { forwarded: `host=${EVIL};proto=https` }],
    ['a prefix', { 'x-forwarded-prefix': `//${EVIL}`, 'x-forwarded-server': EVIL }],
    ['an origin', { origin: `https://${EVIL}`, referer: `https://${EVIL}/` }],
    ['a host within a URL', { 'x-original-url': `//${EVIL}/`, 'x-rewrite-url': `//${EVIL}/`, 'next-url': '/rpc' }],
  ])('%s', async (_what, headers) => {
    for (const path of ['/', '/rpc/', '/no-such-page', '/no-such-page/', '/rpc?_rsc', '/rpc/?next=//evil.example']) {
      for (const further of [{}, { rsc: '1' }] as Record<string, string>[]) {
        const answer = await ask(path, { ...headers, ...further });
        expectGuarded(answer, path);
        expect(String(answer.headers.location ?? '').split('?')[0]).not.toContain(EVIL);
        expect(answer.text.replaceAll(/next=\/\/evil|evil\.example"\]?/g, '')).not.toContain(`://${EVIL}`);
      }
    }
  });

  test.each(['a b', 'a/b', 'a?b', 'a@b', 'evil.example/..', '"', '<script>'])(
    'an invalid host is 400: %s',
    async (host) => {
      const { status, text } = await sendRaw(
        live.gateway.port,
        `GET /rpc/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(status, text).toBe(400);
      expect(text).toMatch(/x-request-id/i);
    },
  );

  test('two hosts are 400, on a page and on the API', async () => {
    for (const path of ['/rpc', '/api/health'])
      expect(
        (
          await sendRaw(
            live.gateway.port,
            `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
          )
        ).status,
      ).toBe(400);
  });
});

describe("what Next's own headers say is refused or without effect", () => {
  test.each([
    ...[
      '',
      'x',
      '{',
      '%',
      '%ff',
      'null',
      '[]',
      '{}',
      '["",{},1]',
      encodeURIComponent('["",{"children":1}]'),
      encodeURIComponent('["",{},null,"x"]'),
    ].map((state) => [state, state]),
    ['6,000 brackets', '['.repeat(6_000)],
  ])('a broken state of the router is 400: %s', async (_what, state = '') => {
    for (const further of [{ rsc: '1' }, {}, { rsc: '1', 'next-router-prefetch': '1' }] as Record<string, string>[]) {
      const answer = await ask('/rpc?_rsc=1', { ...further, 'next-router-state-tree': state });
      expectGuarded(answer, state.slice(0, 50));
      expect(answer.status).toBe(400);
    }
  });

  test('two states of it, too', async () => {
    const answer = await ask('/rpc?_rsc=1', { rsc: '1', 'next-router-state-tree': [STATE, STATE] });
    expect(answer.status).toBe(400);
  });

  test('a sound one is answered with the payload of the page', async () => {
    const first = await ask('/rpc?_rsc=x', { rsc: '1', 'next-router-state-tree': STATE });
    const answer =
      first.headers.location === undefined
        ? first
        : await ask(first.headers.location, { rsc: '1', 'next-router-state-tree': STATE });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/x-component');
    expectGuarded(answer, 'the payload');
  });

  test('a call of a server action is refused', async () => {
    for (const id of ['x', 'a'.repeat(42), '0'.repeat(40), '__proto__', '$$ACTION_0']) {
      const answer = await exchange(live.gateway.port, {
        method: 'POST',
        path: '/rpc',
        headers: { 'next-action': id, 'content-type': 'text/plain;charset=UTF-8' },
        body: '[]',
      });
      expectGuarded(answer, id);
      expect(answer.status).toBe(405);
    }
  });

  test(
    'nor is a page that is skipped, rewritten or taken from a cache: random headers of Next, random values',
    { timeout: 240_000 },
    async () => {
      const paths = [...PAGES, '/no-such-page', '/rpc/', '/_next/static/x.js', '/icon.svg', '/_not-found', '/_error'];
      const draw = drawing(1);
      for (let i = 0; i < 200; i++) {
        const headers = randomOrders(draw);
        const path = `${paths[draw(paths.length)]}${['', '?_rsc', '?_rsc=x', '?_rsc=%ff&_rsc=1', '?x=1&_rsc=__proto__', '?_rsc[]=1'][draw(6)]}`;
        const about = `GET ${path} with ${JSON.stringify(headers).slice(0, 400)}`;
        const answer = await ask(path, headers).catch((error: unknown) =>
          Promise.reject(new Error(about, { cause: error })),
        );
        expectGuarded(answer, about);
        expect(answer.headers.location ?? '/', about).toMatch(/^\/(?![/\\])/);
        expect(answer.text, about).not.toContain('"status":"ok"');
      }
    },
  );
});
