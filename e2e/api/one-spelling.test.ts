/**
 * @at next: Next decodes, rewrites and normalizes paths, and has its own headers.
 * @not postgres: routing happens before any access to the database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import { drawing, randomOrders } from './harness/next-orders';
import { sendRaw } from './harness/raw-socket';
import { repositoryRoot } from './harness/repository-root';

/** An API path has one spelling. Other spellings that would decode or normalize to it are not found. */

const LIMIT_PER_MINUTE = 3;
const NETWORKS = '/api/v1/crypto/rpc/networks';
const rest = NETWORKS.slice('/api'.length);

let live: LiveGateway;

beforeAll(async () => {
  live = await startLiveGateway({ limits: { publicRequestsPerMinutePerIp: LIMIT_PER_MINUTE } });
});
afterAll(() => live?.stop());

/** Sends a request line and headers unchanged. */
function send(target: string, { method = 'GET', headers = '', body = '' } = {}) {
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return sendRaw(
    live.gateway.port,
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\nHost: localhost:${live.gateway.port}\r\nConnection: close\r\n${headers}${length}\r\n${body}`,
      'latin1',
    ),
  );
}

/** All spellings that some decoder takes for the API's path. */
function spellings(): [string, string][] {
  const buildId = readFileSync(join(repositoryRoot, '.next/BUILD_ID'), 'utf8').trim();
  return [
    ['a dot segment', `/.${NETWORKS}`],
    ['two dot segments', `/./.${NETWORKS}`],
    ['a way out and back', `/x/..${NETWORKS}`],
    ['above the root', `/..${NETWORKS}`],
    ['above the root, often', `/../../..${NETWORKS}`],
    ['out of the pages', `/rpc/..${NETWORKS}`],
    ['out of static files', `/_next/static/../..${NETWORKS}`],
    ["out of Next's folder", `/_next/..${NETWORKS}`],
    ['an encoded dot segment', `/%2e${NETWORKS}`],
    ['an encoded dot segment, in upper case', `/%2E${NETWORKS}`],
    ['an encoded way out', `/a/%2e%2e${NETWORKS}`],
    ['a half encoded way out', `/a/.%2e${NETWORKS}`],
    ['the other half', `/a/%2E.${NETWORKS}`],
    ['a way out with an encoded slash', `/a/..%2fapi${rest}`],
    ['a way out, wholly encoded', `/a/%2e%2e%2fapi${rest}`],
    ['a way out with a backslash', `/a/..\\api${rest}`],
    ['a way out with an encoded backslash', `/a/..%5capi${rest}`],
    ['a doubly encoded way out', `/a/%252e%252e${NETWORKS}`],
    ['two slashes', `/${NETWORKS}`],
    ['three slashes', `//${NETWORKS}`],
    ['two slashes within', `/api/${rest}`],
    ['a slash and a backslash', `/\\api${rest}`],
    ['a backslash after', `/api\\v1/crypto/rpc/networks`],
    ['an encoded slash in front', `/%2fapi${rest}`],
    ['an encoded slash after', `/api%2fv1/crypto/rpc/networks`],
    ['an encoded slash after, in upper case', `/api%2Fv1%2Fcrypto%2Frpc%2Fnetworks`],
    ['an encoded backslash after', `/api%5cv1/crypto/rpc/networks`],
    ['an encoded letter', `/%61pi${rest}`],
    ['encoded letters', `/%61%70%69${rest}`],
    ['a doubly encoded letter', `/%2561pi${rest}`],
    ['upper case', `/API${rest}`],
    ['mixed case', `/Api${rest}`],
    ['upper case further on', `/api/V1/crypto/rpc/networks`],
    ['path parameters', `/api;x=1${rest}`],
    ['a way out after path parameters', `/a;/..${NETWORKS}`],
    ['a fragment', `${NETWORKS}#x`],
    ['a fragment in front', `/#${NETWORKS}`],
    ['a NUL', `${NETWORKS}%00`],
    ['a NUL in front', `/%00${NETWORKS}`],
    ['a tab', `/%09api${rest}`],
    ['a line break', `/api%0a${rest}`],
    ['white space', `/api%20${rest}`],
    ['an escape of no digits', `/%zz${NETWORKS}`],
    ['a lone percent sign', `/%${NETWORKS}`],
    ['a percent sign at the end', `/rpc%`],
    ['an overlong dot', `/%c0%ae${NETWORKS}`],
    ['an overlong slash', `/a%c0%afapi${rest}`],
    ['a byte that is no UTF-8', `/%ff${NETWORKS}`],
    ['a raw byte beyond ASCII', `/\u00e9/..${NETWORKS}`],
    ['escapes of UTF-16', `/%u0061pi${rest}`],
    ["Next's data of it", `/_next/data/${buildId}${NETWORKS}.json`],
    ["Next's data of it, without a suffix", `/_next/data/${buildId}${NETWORKS}`],
    ["Next's data of another build", `/_next/data/other${NETWORKS}.json`],
    ["a segment of it for Next's router", `${NETWORKS}.segments/_tree.segment.rsc`],
    ['the place of its file', `${NETWORKS}/route`],
    ['the fallback that Next leads to', '/api/unrouted'],
    ["the fallback's own pattern", '/api/[...path]'],
    ["the fallback's own pattern, encoded", '/api/%5B...path%5D'],
    ['two slashes at the end', `${NETWORKS}//`],
    ['a dot at the end', `${NETWORKS}/.`],
    ['a way out at the end', `${NETWORKS}/x/..`],
    ['a whole URL with a way out', `http://localhost/x/..${NETWORKS}`],
    ['a whole URL of another scheme', `ftp://localhost${NETWORKS}`],
    ['a whole URL with a path in upper case', `HTTP://LOCALHOST/API${rest}`],
    ['a whole URL within a path', `/http://localhost${NETWORKS}`],
    ['the API itself', '/api'],
    ['the API itself, with a slash', '/api/'],
    ['the API itself, with a query', '/api?x=/api/health'],
    ['very many dot segments', `${'/.'.repeat(5_000)}${NETWORKS}`],
    ['very many ways out', `${'/a/..'.repeat(2_000)}${NETWORKS}`],
    ['very many slashes', `${'/'.repeat(10_000)}${NETWORKS.slice(1)}`],
  ];
}

/** Unusual spellings of a parameter, here the network. */
function parameters(): [string, string][] {
  return [
    ['an encoded letter, further on', `/api/v1/crypto/rpc/network%73`],
    ['path parameters at the end', `${NETWORKS};x=1`],
    ['an encoded question mark', `${NETWORKS}%3fx=1`],
    ['an encoded fragment', `${NETWORKS}%23x`],
    ["the payload of it for Next's router", `${NETWORKS}.rsc`],
    ['an encoded NUL', `${NETWORKS}%00`],
  ];
}

/** Returns forged headers that once controlled Next's route handlers, in every form that a header can have. */
const forged = (target: string, method: string): string =>
  [
    ['x-turnpike-peer', '203.0.113.7'],
    ['X-Turnpike-Peer', '203.0.113.8'],
    ['x_turnpike_peer', '203.0.113.9'],
    ['x-turnpike-path', encodeURIComponent(target)],
    ['X-TURNPIKE-PATH', encodeURIComponent(target)],
    ['x-turnpike-method', method],
    ['X-Turnpike-Method', method],
    ['x-forwarded-for', '203.0.113.10'],
    ['forwarded', 'for=203.0.113.11'],
    ['x-real-ip', '203.0.113.12'],
  ]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

function expectRefused({ status, text }: { status: number; text: string }): void {
  expect([400, 404], text.slice(0, 600)).toContain(status);
  expect(text).toMatch(/\r\ncontent-type: application\/json\r\n/i);
  expect(text).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/i);
  expect(text).toMatch(/"code":"[A-Z_]+"/);
}

describe('no second spelling of a path leads to the API', () => {
  test.each(spellings())('%s', async (_what, target) => {
    expectRefused(await send(target));
    expectRefused(await send(target, { method: 'POST', body: '{}' }));
  });

  test.each(spellings())('nor with what only this process may say: %s', async (_what, target) => {
    expectRefused(await send(target, { headers: forged(NETWORKS, 'GET') }));
    expectRefused(await send(target, { method: 'TRACE', headers: forged(NETWORKS, 'GET') }));
  });
});

test.each(parameters())('a parameter is decoded once, and is no other path then: %s', async (_what, target) => {
  expect([400, 405]).toContain((await send(target)).status);
  for (const method of ['GET', 'POST', 'TRACE']) {
    const { status, text } = await send(target, { method, headers: forged(NETWORKS, 'GET') });
    expect([400, 402, 405], text).toContain(status);
    expect(text).not.toContain('"networks":');
  }
});

describe('what only this process may say is taken from no client', () => {
  test('neither the path nor the verb', async () => {
    const answers = await Promise.all([
      send('/api/nothing', { headers: forged(NETWORKS, 'GET') }),
      send('/rpc', { method: 'PUT', headers: forged(NETWORKS, 'GET') }),
      send('/', { method: 'DELETE', headers: forged(NETWORKS, 'GET') }),
      send(NETWORKS, { method: 'PUT', headers: forged(NETWORKS, 'GET') }),
      send(NETWORKS, { method: 'TRACE', headers: forged(NETWORKS, 'GET') }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 405, 405, 405]);
    for (const { text } of answers) expect(text).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/i);
  });

  test('nor another verb by a header', async () => {
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method'])
      expect((await send(NETWORKS, { method: 'POST', body: '{}', headers: `${header}: GET\r\n` })).status, header).toBe(
        405,
      );
  });

  test.each([
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Forwarded-Path',
    'X-Forwarded-Uri',
    'X-Matched-Path',
    'X-Invoke-Path',
    'X-Invoke-Output',
    'X-Middleware-Rewrite',
    'X-Middleware-Request-X',
    'X-Now-Route-Matches',
    'Next-Url',
    'X-Nextjs-Rewritten-Path',
  ])('nor another path by %s', async (header) => {
    const { status, text } = await send('/no-such-page', { headers: `${header}: ${NETWORKS}\r\n` });
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('"networks"');
  });

  test('nor another address: limits by address hold, however a client names itself and the path', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT_PER_MINUTE + 5; i++) {
      const headers = forged(NETWORKS, 'GET').replaceAll('203.0.113.', `203.0.${i}.`);
      statuses.push((await send(i % 2 === 0 ? NETWORKS : `${NETWORKS}/`, { headers })).status);
    }
    // Tries twice, because a new minute may begin in between.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2 * LIMIT_PER_MINUTE);
    expect(statuses.filter((status) => status === 200 || status === 429)).toEqual(statuses);
    expect(statuses).toContain(429);
    for (const [, target] of spellings())
      expect((await send(target, { headers: forged(NETWORKS, 'GET') })).status).not.toBe(200);
  });
});

test("Next's own headers and queries have no effect on the API, whatever they say", async () => {
  const draw = drawing(2);
  for (let i = 0; i < 200; i++) {
    const headers = randomOrders(draw);
    const path = ['/api/health', '/api/health/', '/api/nothing', '/api'][draw(4)] as string;
    const question = {
      method: 'GET',
      path: `${path}${['', '?_rsc', '?_rsc=%ff', '?__nextDataReq=1&nxtPpath=health&nxtIx=1'][draw(4)]}`,
      headers,
    };
    const answer = await live.gateway.ask(question);
    expect(answer.status, JSON.stringify(question)).toBe(path.startsWith('/api/health') ? 200 : 404);
  }
});

describe('a target that is a whole URL, with an offer to become a WebSocket, is fetched for nobody', () => {
  test.each(['', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'])(
    'with %j',
    async (headers) => {
      const before = live.stub.requests.length;
      for (const target of [
        live.stub.url('ethereum-mainnet'),
        live.stub.url('ethereum-mainnet').replace('http:', 'HTTP:'),
        live.stub.url('ethereum-mainnet').replace('http:', 'ws:'),
      ]) {
        const { text } = await sendRaw(
          live.gateway.port,
          `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
        ).catch((error: unknown) => ({ text: String(error) }));
        expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
      }
      expect(live.stub.requests.length).toBe(before);
    },
  );
});
