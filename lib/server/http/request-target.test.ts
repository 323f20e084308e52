import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hostFault, isForPages, splitTarget, takeOriginForm } from './request-target';

function taken(url: string, host?: string) {
  const request: { url: string; headers: IncomingHttpHeaders } = { url, headers: host === undefined ? {} : { host } };
  takeOriginForm(request);
  return [request.url, request.headers.host];
}

describe('a target that is a whole URL', () => {
  it.each([
    ['http://localhost:3000/api/v1/models?type=tts', '/api/v1/models?type=tts', 'localhost:3000'],
    ['HTTP://Host.example/API//x', '/API//x', 'Host.example'],
    ['https://host.example', '/', 'host.example'],
    ['http://host.example?a=1', '/?a=1', 'host.example'],
    ['http://user:pass@host.example/x', '/x', 'host.example'],
    ['http://[::1]:3000/x', '/x', '[::1]:3000'],
    ['http:///x', '/x', ''],
  ])('%s is the path %s at the host %s, whatever the Host header says', (url, path, host) => {
    expect(taken(url, 'localhost:1')).toEqual([path, host]);
    expect(taken(url)).toEqual([path, host]);
  });

  it.each(['/api/v1/models', '/http://x/', '//host.example/api', '*', 'host.example:443', 'ftp://host.example/x', ''])(
    'leaves %s unchanged',
    (url) => {
      expect(taken(url, 'localhost:1')).toEqual([url, 'localhost:1']);
    },
  );
});

describe('the pages answer for their one spelling of a path', () => {
  it.each([
    '/',
    '/rpc',
    '/rpc/',
    '/rpc?_rsc=1x%ff//..',
    '/apiary',
    '/rpc/api/v1',
    '/a.b/..c/d..',
    '/_next/static/chunks/a~b.c_d-0.js',
    '/stra%C3%9Fe',
    '/%5Bx%5d',
    '/icon.svg',
    "/!$&'()*+,=:@",
  ])('%s is theirs', (target) => expect(isForPages(target)).toBe(true));

  it.each([
    ...['/api', '/api/', '/api?x', '/api/health', '/API', '/Api/health', '*', '', 'x', 'ftp://x/rpc', 'http:rpc'],
    ...[
      '/./rpc',
      '/../rpc',
      '/a/../rpc',
      '/rpc/.',
      '/rpc/..',
      '/..',
      '//rpc',
      '/rpc//',
      '/a//b',
      '/\\rpc',
      '/a\\b',
      '/a;b',
      '/rpc#',
      '/rpc#x',
      '/<',
      '/"',
      '/{x}',
      '/|',
      '/^',
      '/`',
      '/[x]',
      '/a b',
      '/a\tb',
      '/\u00e9',
    ],
    ...[
      '/%2e/rpc',
      '/%2E%2e/rpc',
      '/%2frpc',
      '/%2Frpc',
      '/%5crpc',
      '/%5Crpc',
      '/%25',
      '/%252e',
      '/%61pi',
      '/a%20b',
      '/api%20',
      '/r%70c',
      '/%00',
      '/%0a',
      '/%7f',
      '/%3f',
      '/%23',
      '/%3b',
      '/%',
      '/%2',
      '/%zz',
      '/%u0061',
    ],
    ...[
      '/%ff',
      '/%c3',
      '/%c3%28',
      '/%c0%ae',
      '/%e2%82',
      '/%ed%a0%80',
      '/_next',
      '/_next/',
      '/_next/data/x/rpc.json',
      '/_next/image?url=http://x',
      '/_nextfoo',
      '/_error',
      '/_global-error',
      '/__nextjs_x',
      '/_next/Static/x',
    ],
  ])('%j is not: the API says that it leads nowhere', (target) => expect(isForPages(target)).toBe(false));

  it("Next's own paths are its development server's alone", () => {
    expect(isForPages('/_next/webpack-hmr', true)).toBe(true);
    expect(isForPages('/_next/webpack-hmr', false)).toBe(false);
    expect(isForPages('/_next/../api/health', true)).toBe(false);
    const scoped = '/_next/static/chunks/node_modules_%40noble_curves_1._.js';
    expect([isForPages(scoped, true), isForPages(scoped, false)]).toEqual([true, false]);
    for (const path of [
      '/_next/static/../%40api',
      '/_next/static/..%2f%40',
      '/%40x',
      '/_next/static/%2540',
      '/_next/static//%40',
    ])
      expect(isForPages(path, true), path).toBe(false);
  });

  it('takes no time to speak of for a target as long as a head can be', () => {
    for (const part of ['/a', '/.', '/a/..', '/%C3%9F', '%20', '/', 'a', '/a~']) {
      const startedAt = performance.now();
      isForPages(`/${part.repeat(16_384 / part.length)}\n`);
      expect(performance.now() - startedAt, part).toBeLessThan(100);
    }
  });

  it('no decoder finds the API in what is theirs, nor a path that is tidied up', () => {
    const parts = [
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      'api',
      'API',
      '%61pi',
      ';',
      '#',
      '%00',
      '%ff',
      'x',
      '%C3%9F',
      '%20',
      '%25',
      '%252e',
    ];
    let seed = 7;
    const drawn = (): string => parts[(seed = (seed * 48_271) % 2_147_483_647) % parts.length] as string;
    for (let i = 0; i < 20_000; i++) {
      const target = `/${Array.from({ length: 1 + (i % 7) }, drawn).join('')}`;
      if (!isForPages(target)) continue;
      const decoded = decodeURIComponent(target);
      expect(decodeURIComponent(decoded), target).toBe(decoded);
      const url = new URL(decoded, 'http://x');
      expect(url.host, target).toBe('x');
      expect(decodeURIComponent(url.pathname), target).toBe(decoded);
      expect(decoded.toLowerCase(), target).not.toMatch(/^\/+api(?:\/|$)|\/\/|\\/);
    }
  });
});

it('a target is a path, and a query where there is a question mark', () => {
  expect([splitTarget('/a'), splitTarget('/a?b?c'), splitTarget('?')]).toEqual([
    { path: '/a', query: '' },
    { path: '/a', query: '?b?c' },
    { path: '', query: '?' },
  ]);
});

describe('a request names one host', () => {
  const fault = (httpVersion: string, ...hosts: string[]) =>
    hostFault({
      httpVersion,
      headers: hosts[0] === undefined ? {} : { host: hosts[0] },
      rawHeaders: ['Accept', '*/*', ...hosts.flatMap((host) => ['Host', host])],
    });

  it.each([
    'localhost',
    'localhost:3000',
    'Host.example',
    '127.0.0.1:1',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
    '',
    'under_score.example',
    'xn--a.example:',
  ])('such as %j', (host) => expect(fault('1.1', host)).toBeNull());

  it('which only HTTP/1.1 has to', () => {
    expect(fault('1.1')).toMatch(/no host/);
    expect(fault('1.0')).toBeNull();
  });

  it('and no two, the same one included', () => {
    expect(fault('1.1', 'a', 'b')).toMatch(/more than one/);
    expect(fault('1.1', 'a', 'a')).toMatch(/more than one/);
  });

  it.each(['a b', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', 'a,b:c', '[::1', '::1', 'a:123456', '"a"', '<a>', 'a%2e', 'é'])(
    'and not %j, which names none',
    (host) => expect(fault('1.1', host)).toMatch(/not valid/),
  );
});
