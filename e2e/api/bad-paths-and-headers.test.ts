/**
 * @at next: Next's own server and router handle paths and headers.
 * @not postgres: paths and headers are checked before any access to the database.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { expectErrorTree } from './harness/every-answer';
import { exchange } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { sendRaw } from './harness/raw-socket';

/** Malformed paths and headers. Each gets a 4xx, a sentence and no charge; never a hang, a crash or a 500. */

let live: LiveGateway;
let caller: Caller;
let other: Caller;

beforeAll(async () => {
  live = await startLiveGateway();
  [caller, other] = (await live.gateway.operator.createCallers(2)) as [Caller, Caller];
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());
afterEach(async () => {
  live.stub.reset();
  expectCharged(live.gateway, await live.gateway.rpc(chainId, { as: caller }), 20);
});

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const RPC = '/api/v1/crypto/rpc';

/** Sends a valid call to an invalid path. */
const post = (path: string) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.key}` },
  body: chainId,
});

describe('path tricks are refused', () => {
  test.each([
    ['dot segments to another endpoint', `${RPC}/../../crypto/rpc/../no-such-endpoint`],
    ['encoded dot segments to another endpoint', `${RPC}/%2e%2e/%2e%2e/no-such-endpoint`],
    ['encoded dot segments in upper case', `${RPC}/%2E%2E%2Fethereum-mainnet`],
    ['doubly encoded dot segments', `${RPC}/%252e%252e/ethereum-mainnet`],
    ['a slug of dots', `${RPC}/...`],
    ['two slashes before the slug', `${RPC}//ethereum-mainnet`],
    ['two slashes in the middle', '/api//v1/crypto/rpc/ethereum-mainnet'],
    ['a backslash', `${RPC}\\ethereum-mainnet`],
    ['an encoded backslash', `${RPC}/..%5cethereum-mainnet`],
    ['an encoded slash', `${RPC}/ethereum%2Fmainnet`],
    ['an encoded slash at the end', `${RPC}/ethereum-mainnet%2F`],
    ['a NUL byte', `${RPC}/ethereum-mainnet%00`],
    ['a NUL byte in front', `${RPC}/%00ethereum-mainnet`],
    ['a line break', `${RPC}/ethereum-mainnet%0d%0aX-Injected:%201`],
    ['a byte that is no UTF-8', `${RPC}/%ff`],
    ['an overlong slash', `${RPC}/%c0%af`],
    ['a lone percent sign', `${RPC}/%`],
    ['a cut escape', `${RPC}/ethereum-mainnet%2`],
    ['an escape of no digits', `${RPC}/%zz`],
    ['a very long slug', `${RPC}/${'a'.repeat(8_000)}`],
    ['very many segments', `${RPC}${'/a'.repeat(4_000)}`],
    ['a slug of unicode', `${RPC}/%E2%82%AC-mainnet`],
    ['white space around the slug', `${RPC}/%20ethereum-mainnet%20`],
    ['a slug in upper case', `${RPC}/ETHEREUM-MAINNET`],
    ['a path parameter', `${RPC}/ethereum-mainnet;v=1`],
    ['a segment after the slug', `${RPC}/ethereum-mainnet/eth_chainId`],
    ['no slug', RPC],
    ['an empty slug', `${RPC}/`],
    ['the slug __proto__', `${RPC}/__proto__`],
    ['the slug constructor', `${RPC}/constructor`],
    ['the slug {network}', `${RPC}/%7Bnetwork%7D`],
    ['the slug [network]', `${RPC}/[network]`],
    ['another version', '/api/v2/crypto/rpc/ethereum-mainnet'],
    ['no version', '/api/crypto/rpc/ethereum-mainnet'],
  ])('%s', async (_what, path) => {
    const charges = live.gateway.books.count();
    const answer = await live.gateway.ask(post(path));
    expect(answer.status, answer.text.slice(0, 300)).toBeGreaterThanOrEqual(400);
    expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });

  test.each([
    ['dot segments', `${RPC}/../../../../etc/passwd`],
    ['dot segments and back', `${RPC}/../../../../api/../package.json`],
    ['encoded dot segments', `${RPC}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/package.json`],
    ['two slashes at the start', `/${RPC}/ethereum-mainnet`],
    ['another case', '/API/v1/crypto/rpc/ethereum-mainnet'],
  ])('a path that leads out of the API is answered with a 4xx, or sent to the tidy path: %s', async (_what, path) => {
    const charges = live.gateway.books.count();
    const answer = await exchange(live.gateway.port, post(path));
    expect(answer.status === 308 || (answer.status >= 400 && answer.status < 500), String(answer.status)).toBe(true);
    expect(answer.text).not.toMatch(/root:|"dependencies"/);
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });

  test('a query is ignored', async () => {
    expectCharged(
      live.gateway,
      await live.gateway.ask(post(`${RPC}/ethereum-mainnet?network=base-mainnet&__proto__=1&%ff`)),
      20,
    );
    expect(live.stub.request.network).toBe('ethereum-mainnet');
  });
});

describe('an Idempotency-Key that does not match ^[A-Za-z0-9_-]{1,255}$ is 400', () => {
  test.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['8,000 characters', 'k'.repeat(8_000)],
    ['a space inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['a dot', 'a.b'],
    ['a slash', 'a/b'],
    ['a colon', 'a:b'],
    ['a comma', 'a,b'],
    ['a quote', '"a"'],
    ['a percent escape', 'a%41'],
    ['a letter beyond ASCII', 'é'],
    ['a UUID in braces', '{6b1c1f0e-3c1e-4a57-9d53-0c2f6f8c1f11}'],
  ])('%s', async (_what, key) => {
    const charges = live.gateway.books.count();
    const answer = await live.gateway.rpc(chainId, { as: caller, headers: { 'idempotency-key': key } });
    expect(answer.status, answer.text).toBe(400);
    expectErrorTree((answer.json as { details: unknown }).details);
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });

  test('two of them', async () => {
    const answer = await live.gateway.rpc(chainId, { as: caller, headers: { 'idempotency-key': ['one', 'two'] } });
    expect(answer.status).toBe(400);
  });

  test.each([
    ['control characters', 'a\u0001b'],
    ['a NUL', 'a\u0000b'],
    ['a DEL', 'a\u007fb'],
    ['bytes beyond ASCII', 'a\u00ffb'],
  ])('%s, sent as raw bytes', async (_what, key) => {
    const charges = live.gateway.books.count();
    const head = `POST ${RPC}/ethereum-mainnet HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\n`;
    const { status } = await sendRaw(
      live.gateway.port,
      Buffer.from(`${head}Idempotency-Key: ${key}\r\nContent-Length: ${chainId.length}\r\n\r\n${chainId}`, 'latin1'),
    );
    expect(status).toBe(400);
    expect(live.stub.requests).toHaveLength(0);
    expect(live.gateway.books.count()).toBe(charges);
  });
});

describe('header tricks', () => {
  const raw = (headers: string, body = chainId) =>
    sendRaw(
      live.gateway.port,
      `POST ${RPC}/ethereum-mainnet HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  const bearer = (key: string) => `Authorization: Bearer ${key}\r\n`;

  test('two Authorization headers of two callers: refused, or one of them pays', async () => {
    const charges = live.gateway.books.count();
    const { status } = await raw(bearer(caller.key) + bearer(other.key));
    expect([200, 400, 401]).toContain(status);
    expect(live.gateway.books.count() - charges).toBe(status === 200 ? 1 : 0);
  });

  test('a bad Authorization header before a good one is 401 or 400', async () => {
    const { status } = await raw(bearer('tpk_unknown') + bearer(caller.key));
    expect([400, 401]).toContain(status);
    expect(live.stub.requests).toHaveLength(0);
  });

  test.each([
    ['one header of 100 KB', `X-Large: ${'a'.repeat(100_000)}\r\n`],
    ['a key of 100 KB', bearer('k'.repeat(100_000))],
    ['5,000 headers', Array.from({ length: 5_000 }, (_none, index) => `X-Many-${index}: 1\r\n`).join('')],
  ])('huge headers are a 4xx: %s', async (_what, headers) => {
    const { status } = await raw(headers);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test.each([
    ['a header without a colon', 'nonsense\r\n'],
    ['white space before the colon', 'Authorization : Bearer x\r\n'],
    ['a line break in a value', 'X-Broken: a\rb\r\n'],
    ['two lengths', 'Content-Length: 5\r\n'],
    ['a length and chunks', 'Transfer-Encoding: chunked\r\n'],
  ])('malformed HTTP is 400: %s', async (_what, headers) => {
    expect((await raw(headers)).status).toBe(400);
    expect(live.stub.requests).toHaveLength(0);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001'],
    ['HTTP/9', `POST ${RPC}/ethereum-mainnet HTTP/9.9\r\n\r\n`],
  ])('%s is closed or 4xx', async (_what, bytes) => {
    const { status } = await sendRaw(live.gateway.port, Buffer.from(bytes, 'latin1'));
    expect(status === 0 || (status >= 400 && status < 600)).toBe(true);
  });
});

describe('HTTP that is unusual and right is served', () => {
  const bearer = () =>
    `Authorization: Bearer ${caller.key}\r\nContent-Type: application/json\r\nContent-Length: ${chainId.length}\r\n`;
  const sent = (target: string, lines = '') =>
    sendRaw(
      live.gateway.port,
      `POST ${target} HTTP/1.1\r\nHost: localhost:${live.gateway.port}\r\n${bearer()}${lines}\r\n${chainId}`,
    );
  const close = 'Connection: close\r\n';

  test('an offer of HTTP/2 that is not taken up, as Java’s HttpClient and curl --http2 make it', async () => {
    const charges = live.gateway.books.count();
    const offer =
      'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n';
    const answer = await sent(`${RPC}/ethereum-mainnet`, offer);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toContain('"id":1,"result":');
    expect(live.stub.request.headers).not.toHaveProperty('upgrade');
    expect(live.gateway.books.count() - charges).toBe(1);
  });

  test('a target that is a whole URL', async () => {
    const charges = live.gateway.books.count();
    const answer = await sent(`http://localhost:${live.gateway.port}${RPC}/ethereum-mainnet`, close);
    expect(answer.status, answer.text).toBe(200);
    expect(live.gateway.books.count() - charges).toBe(1);
  });

  test('OPTIONS * is no 5xx', async () => {
    const { status, text } = await sendRaw(live.gateway.port, `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`);
    expect(status, text).toBe(204);
    expect(text).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/i);
  });

  test('an expectation that nobody knows is ignored or refused', async () => {
    const { status, text } = await sent(`${RPC}/ethereum-mainnet`, `Expect: 200-maybe\r\n${close}`);
    expect([200, 417], text).toContain(status);
  });

  test('a request that names no host is 400', async () => {
    const { status } = await sendRaw(
      live.gateway.port,
      `POST ${RPC}/ethereum-mainnet HTTP/1.1\r\n${bearer()}${close}\r\n${chainId}`,
    );
    expect(status).toBe(400);
    expect(live.stub.requests).toHaveLength(0);
  });
});
