/**
 * @at next: Next handles routes, verbs, preflights and HEAD before our code.
 * @not postgres: routes and headers do not depend on the database. Each gateway's start checks its health on Postgres.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exchange } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { SPECIFIED_SLUGS } from './harness/specified-networks';

/** Answers of the API to any request: routes, verbs, CORS; and the public list of networks. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway({
    networks: (stub) => ({ 'foo-mainnet': { upstreams: [stub.url('foo-mainnet')] }, 'foo-testnet': {} }),
  });
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  live.gateway.ask({ method, path, headers });

describe('GET /crypto/rpc/networks', () => {
  test('is public, and lists every specified network and the configured further ones, sorted', async () => {
    const { status, json } = await ask('GET', '/api/v1/crypto/rpc/networks');
    expect(status).toBe(200);
    expect(json).toEqual({ networks: [...SPECIFIED_SLUGS, 'foo-mainnet', 'foo-testnet'].sort() });
  });

  test('is authoritative: each of them is accepted by the proxy, and no other', async () => {
    const { networks } = (await ask('GET', '/api/v1/crypto/rpc/networks')).json as { networks: string[] };
    for (const network of networks) {
      const method = network.startsWith('solana')
        ? 'getSlot'
        : network.startsWith('starknet')
          ? 'starknet_chainId'
          : 'eth_chainId';
      expect([200, 500], network).toContain(
        (await live.gateway.rpc({ id: 1, method }, { as: caller, network })).status,
      );
    }
    expect(
      (await live.gateway.rpc({ id: 1, method: 'eth_chainId' }, { as: caller, network: 'bar-mainnet' })).status,
    ).toBe(400);
  });

  test('a bad credential does not matter', async () => {
    expect((await ask('GET', '/api/v1/crypto/rpc/networks', { authorization: 'Bearer tpk_unknown' })).status).toBe(200);
  });
});

describe('unknown route is 404', () => {
  test.each([
    '/api/v1',
    '/api/v1/nothing',
    '/api/v1/crypto',
    '/api/v1/crypto/rpc',
    '/api/v1/openapi',
    '/api/nothing/at/all',
    '/api/v1/crypto/rpc/networks/all',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect((await ask(method, path)).status, method).toBe(404);
  });

  test('the sandbox’s endpoints do not exist in live', async () => {
    expect((await ask('GET', '/api/sandbox')).status).toBe(404);
    expect((await ask('POST', '/api/sandbox/faucet')).status).toBe(404);
    expect((await ask('POST', '/api/sandbox/rpc/ethereum-mainnet')).status).toBe(404);
  });
});

describe('endpoints of characters, and of pictures beside their making, are not offered: 404 with code NOT_OFFERED', () => {
  test.each(['/api/v1/image/upscale', '/api/v1/images/edits', '/api/v1/characters', '/api/v1/characters/somebody'])(
    '%s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(method, path);
        expect(answer.status).toBe(404);
        expect(answer.json).toMatchObject({ code: 'NOT_OFFERED', error: `${path} is not offered by this gateway.` });
      }
    },
  );
});

describe('wrong verb is 405 and names the right ones in Allow', () => {
  test.each([
    ['POST', 'GET', RPC],
    ['POST', 'PUT', RPC],
    ['POST', 'DELETE', RPC],
    ['POST', 'PATCH', RPC],
    ['GET', 'POST', '/api/v1/crypto/rpc/networks'],
    ['GET', 'DELETE', '/api/v1/crypto/rpc/networks'],
    ['GET', 'POST', '/api/v1/openapi.json'],
    ['GET', 'POST', '/api/health'],
  ])('%s, not %s: %s', async (right, wrong, path) => {
    const answer = await ask(wrong, path, { authorization: `Bearer ${caller.key}` });
    expect(answer.status).toBe(405);
    expect(String(answer.headers.allow).split(', ')).toContain(right);
    expect(String(answer.headers.allow).split(', ')).not.toContain(wrong);
  });

  test.each(['TRACE', 'PROPFIND', 'QUERY'])(
    '%s, which HTTP knows and the API does not, is a 4xx or 501',
    async (method) => {
      const { status } = await exchange(live.gateway.port, { method, path: RPC });
      expect([400, 404, 405, 501]).toContain(status);
      expect(live.stub.requests).toHaveLength(0);
    },
  );
});

describe('HEAD is answered like GET, without a body', () => {
  test.each(['/api/v1/crypto/rpc/networks', '/api/v1/openapi.json', '/api/health'])('%s', async (path) => {
    const answer = await ask('HEAD', path);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });
});

describe('answers over 1 KiB are compressed where the client accepts it', () => {
  const auth = () => ({ authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' });
  const batch = (method: string) =>
    JSON.stringify(Array.from({ length: 100 }, (_none, id) => ({ jsonrpc: '2.0', id, method, params: [] })));
  const questions: [what: string, method: string, path: string, body: string | null, isLong: boolean][] = [
    ['the description', 'GET', '/api/v1/openapi.json', null, true],
    ['the description at the root', 'GET', '/openapi.json', null, true],
    ['the models', 'GET', '/api/v1/models?type=all', null, false],
    ['a batch of 100', 'POST', RPC, batch('eth_chainId'), true],
    ['an error that names 100 methods', 'POST', RPC, batch('eth_doesNotExistAnywhereAtAll'), false],
    ['a small answer', 'GET', '/api/health', null, false],
  ];
  const send = (coding: string, [, method, path, body]: (typeof questions)[number]) =>
    fetch(`${live.gateway.url}${path}`, {
      method,
      body,
      headers: { ...(body === null ? {} : auth()), 'accept-encoding': coding },
    });

  test.each(questions)('%s, in each coding, is what it is without one', async (...question) => {
    const plain = await send('identity', question);
    const expected = await plain.text();
    const isLong = Buffer.byteLength(expected) > 1_024;
    if (question[4]) expect(isLong).toBe(true);
    expect(plain.headers.get('content-encoding')).toBeNull();
    if (isLong) expect(plain.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    for (const coding of ['gzip', 'br', 'zstd']) {
      const answer = await send(coding, question);
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([plain.status, isLong ? coding : null]);
      // The uptime differs each time.
      if (isLong) expect(await answer.text()).toBe(expected);
      else await answer.arrayBuffer();
      for (const name of ['x-service-rpc-credits', 'x-service-rpc-cost-usd', 'content-type', 'cache-control'])
        expect(answer.headers.get(name), name).toBe(plain.headers.get(name));
    }
  });

  test('once: it decodes to JSON, whatever the client names first', async () => {
    const answer = await fetch(`${live.gateway.url}/api/v1/openapi.json`, {
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    expect(answer.headers.get('content-encoding')).toBe('zstd');
    expect(await answer.json()).toMatchObject({ openapi: expect.any(String) as string });
  });

  test.each([
    ['that it takes what we do not have', 'deflate'],
    ['that it does not', 'gzip;q=0'],
    ['that it takes nothing', '*;q=0'],
    ['no weight', 'gzip;q=7'],
    ['8 KB of signs', ';,q=;'.repeat(1_600)],
  ])('not for a client that says %s', async (_what, coding) => {
    const answer = await ask('GET', '/api/v1/openapi.json', { 'accept-encoding': coding });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect(answer.json).toMatchObject({ openapi: expect.any(String) as string });
  });

  test('HEAD says the same as GET', async () => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) =>
        fetch(`${live.gateway.url}/api/v1/openapi.json`, { method, headers: { 'accept-encoding': 'br' } }),
      ),
    );
    for (const name of ['content-encoding', 'vary', 'content-type', 'cache-control'])
      expect(head?.headers.get(name), name).toBe(get?.headers.get(name));
    await get?.arrayBuffer();
  });
});

describe('CORS: browsers of any origin may call', () => {
  const EXPOSED = [
    ...[
      'X-Service-RPC-Credits',
      'X-Service-RPC-Cost-USD',
      'X-Service-Profile',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ],
    ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Balance-Remaining', 'X-Request-ID', 'Idempotent-Replayed'],
  ].map((name) => name.toLowerCase());
  const exposedBy = (value: unknown) =>
    String(value)
      .toLowerCase()
      .split(/\s*,\s*/);
  const origin = { origin: 'https://dapp.example' };

  test('a preflight of the proxy is 204 and allows what its clients send', async () => {
    const preflight = {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    };
    const { status, headers, text } = await ask('OPTIONS', RPC, preflight);
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(exposedBy(headers['access-control-allow-methods'])).toContain('post');
    const allowed = exposedBy(headers['access-control-allow-headers']);
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'sign-in-with-x',
      'x-sign-in-with-x',
      'payment-signature',
      'x-402-payment',
      'x-payment',
      '*',
    ]) {
      expect(allowed).toContain(name);
    }
  });

  test('a preflight asks for no credential and charges nothing', async () => {
    const charges = live.gateway.books.count();
    for (const path of [RPC, '/api/v1/crypto/rpc/networks'])
      expect((await ask('OPTIONS', path, origin)).status).toBe(204);
    expect(live.gateway.books.count()).toBe(charges);
  });

  test('exposes every X-Service-*, X-RateLimit-*, PAYMENT-*, X-Balance-Remaining, X-Request-ID and Idempotent-Replayed header by name', async () => {
    const { headers } = await live.gateway.rpc({ id: 1, method: 'eth_chainId' }, { as: caller, headers: origin });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(exposedBy(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining(EXPOSED));
    expect(headers['access-control-expose-headers']).not.toContain('*');
  });

  test.each([
    ['400', () => live.gateway.rpc('{', { as: caller, headers: origin })],
    ['401', () => live.gateway.rpc('{', { as: { key: 'tpk_unknown' }, headers: origin })],
    ['402', () => live.gateway.rpc('{', { as: null, headers: origin })],
    ['404', () => ask('GET', '/api/v1/nothing', origin)],
    ['405', () => ask('PUT', RPC, origin)],
    ['415', () => live.gateway.rpc('{', { as: caller, headers: { ...origin, 'content-type': 'text/plain' } })],
    [
      '500',
      () =>
        live.gateway.rpc({ id: 1, method: 'eth_chainId' }, { as: caller, network: 'linea-sepolia', headers: origin }),
    ],
  ])('a page may read an error as well: %s', async (status, send) => {
    const { headers, ...answer } = await send();
    expect(String(answer.status)).toBe(status);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(exposedBy(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining(EXPOSED));
  });

  test('a browser may never send cookies along', async () => {
    const { headers } = await ask('OPTIONS', RPC, origin);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});

test('GET /api/health: the process answers and its store can be read', async () => {
  const { status, json } = await ask('GET', '/api/health');
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: 'ok' });
});

describe('where clients look for the API by habit', () => {
  const elsewhere: [path: string, here: string][] = [
    ['/api', '/api/v1'],
    ['/v1', '/api/v1'],
    ['/v1/chat/completions', '/api/v1/chat/completions'],
    ['/v1/models', '/api/v1/models'],
    ['/chat/completions', '/api/v1/chat/completions'],
    ['/models', '/api/v1/models'],
    ['/audio/speech', '/api/v1/audio/speech'],
    ['/rpc/base-mainnet', '/api/v1/crypto/rpc/base-mainnet'],
    ['/crypto/rpc/base-mainnet', '/api/v1/crypto/rpc/base-mainnet'],
    ['/api_keys', '/api/v1/api_keys'],
    ['/api_keys/generate_web3_key', '/api/v1/api_keys/generate_web3_key'],
    ['/tee/attestation', '/api/v1/tee/attestation'],
    ['/billing/balance', '/api/v1/billing/balance'],
    ['/x402/top-up', '/api/v1/x402/top-up'],
    ['/x402/balance/0x1', '/api/v1/x402/balance/0x1'],
    ['/video/complete', '/api/v1/video/complete'],
    ['/embeddings', '/api/v1/embeddings'],
    ['/image/generate', '/api/v1/image/generate'],
    ['/mcp', '/api/v1'],
  ];
  test.each(elsewhere)('%s says in JSON, to every origin, where it is', async (path, here) => {
    for (const method of ['GET', 'POST']) {
      const { status, json, headers } = await ask(method, path);
      expect([status, headers['access-control-allow-origin']]).toEqual([404, '*']);
      expect(json).toMatchObject({
        code: 'WRONG_BASE_URL',
        baseUrl: expect.stringMatching(/^http:\/\/[^/]+\/api\/v1$/),
        error: expect.stringMatching(new RegExp(`http://[^/]+${here}[. ]`)),
      });
    }
  });

  test('/openapi.json is the document, with its paths from the origin on', async () => {
    type Document = { paths: Record<string, unknown>; servers: { url: string }[] };
    const [there, here] = (
      await Promise.all(['/openapi.json', '/api/v1/openapi.json'].map((path) => ask('GET', path)))
    ).map(({ json }) => json as Document) as [Document, Document];
    expect(there).toEqual({
      ...here,
      servers: here.servers.map(({ url }) => ({ url: url.replace('/api/v1', '') })),
      paths: Object.fromEntries(Object.entries(here.paths).map(([path, verbs]) => [`/api/v1${path}`, verbs])),
    });
  });

  test.each(['/api/v1/responses/resp_1', '/api/v1/completions', '/api/v1/audio/translations'])(
    '%s is not offered, and says what is',
    async (path) => {
      const { status, json } = await ask('POST', path);
      expect([status, json]).toMatchObject([
        404,
        { code: 'NOT_OFFERED', error: expect.stringContaining('POST /api/v1/') },
      ]);
    },
  );
});

describe('what clients show that show little', () => {
  test('the sentence says what to do, the status line says it in short, and 401 and 402 say how to authenticate', async () => {
    for (const authorization of [null, 'Bearer tpk_unknown']) {
      const response = await fetch(`${live.gateway.url}/api/v1/crypto/rpc/ethereum-mainnet`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
      });
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Turnpike"');
      const { error, hint } = (await response.json()) as { error: string; hint: string };
      expect(response.statusText, 'by either entry').toMatch(response.status === 401 ? /key/i : /credential|pay/i);
      if (response.status === 401) expect(error.endsWith(hint)).toBe(true);
    }
  });

  test.each(['', '?x402Version=1'])('the 402 of a top-up says so too: %j', async (query) => {
    const { status, headers } = await ask('POST', `/api/v1/x402/top-up${query}`);
    expect([status, headers['www-authenticate']]).toEqual([402, 'Bearer realm="Turnpike"']);
  });
});
