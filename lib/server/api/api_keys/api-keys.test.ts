import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import type { MintRequest } from '@/lib/protocol/api-keys/mint-request';
import type { KeyPage, MintedKey } from '@/lib/protocol/api-keys/terms';
import type { Gateway } from '../../create-gateway';
import { nodeListener } from '../../http/node-adapter';
import { grant } from '../../db/credits';
import { findWalletAccount } from '../../db/wallets';
import { describeWithPostgres } from '@/test/postgres';
import { gatewayOfFile, serve } from '@/test/test-gateway';

const NETWORK = 'base-mainnet';
const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const CONTRACT = `0x${'01'.repeat(20)}`;
const PATH = '/api/v1/api_keys/generate_web3_key';

interface Served {
  gateway: Gateway;
  origin: string;
  ask(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }>;
  mint(settings?: Partial<MintRequest>, by?: typeof wallet): Promise<MintedKey>;
  /** Calls the RPC proxy with a key. @returns the status */
  call(key: string): Promise<number>;
  clock: { now: number };
}

/** Serves a gateway over HTTP. The test decides who holds stake, and whether a node answers. */
async function serveGateway({
  env = {},
  node = true,
  stake = () => Promise.resolve(true),
  limits = { publicRequestsPerMinutePerIp: 1_000 } as object,
} = {}): Promise<Served> {
  const upstream = await serve((request, response) => {
    if (!node) return void request.destroy();
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: unknown };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x00' }));
    });
  });
  const deployment = {
    network: NETWORK,
    primary: true,
    stakeToken: CONTRACT,
    staking: CONTRACT,
    dailyCreditToken: CONTRACT,
    dailyCreditPool: CONTRACT,
  };
  const settings = {
    limits,
    staking: { deployments: [deployment] },
    networks: { [NETWORK]: { upstreams: [upstream.origin], chainIdentity: false } },
    rpc: { healthChecks: { intervalMs: 0 } },
  };
  const clock = { now: Date.now() };
  const noDailyCredit = { staked: 0n, total: 0n, decimals: 18 };
  const substitutes = {
    now: () => clock.now,
    stake: { holdsStake: stake, dailyCreditStake: () => Promise.resolve(noDailyCredit) },
  };
  const gateway = await gatewayOfFile(settings, { env, substitutes });
  const { origin } = await serve(nodeListener(gateway));
  return {
    gateway,
    origin,
    clock,
    ask: async (method, path, { body, headers = {} } = {}) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(origin + path, {
        method,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      return {
        status: response.status,
        json: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      };
    },
    mint: async (extra = {}, by = wallet) => mintKey(origin, { ...(await claimOf(origin, by)), ...extra }),
    call: async (key) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      const response = await fetch(`${origin}/api/v1/crypto/rpc/${NETWORK}`, {
        method: 'POST',
        headers,
        body: '{"method":"eth_chainId","id":1}',
      });
      return response.status;
    },
  };
}

interface Access {
  baseUrl: string;
  apiKey: string;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function send<T>(
  method: string,
  url: string,
  { apiKey, body }: { apiKey?: string; body?: unknown } = {},
): Promise<T> {
  const headers = { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const json = (await response.json()) as T & { code: string; error: string };
  if (!response.ok) throw new Refused(response.status, json.code, json.error);
  return json;
}

async function claimOf(origin: string, by = wallet): Promise<MintRequest> {
  const { data } = await send<{ data: { token: string } }>('GET', origin + PATH);
  return {
    address: by.address,
    token: data.token,
    signature: await by.signMessage({ message: data.token }),
    apiKeyType: 'INFERENCE',
  };
}

async function mintKey(origin: string, body: MintRequest): Promise<MintedKey> {
  return (await send<{ data: MintedKey }>('POST', origin + PATH, { body })).data;
}

function listKeys({ baseUrl, apiKey }: Access, query = ''): Promise<KeyPage> {
  return send('GET', `${baseUrl}/api/v1/api_keys${query}`, { apiKey });
}

function revokeKey({ baseUrl, apiKey }: Access, id: string): Promise<unknown> {
  return send('DELETE', `${baseUrl}/api/v1/api_keys?id=${id}`, { apiKey });
}

function refusalOf(promise: Promise<unknown>): Promise<[number, string]> {
  return promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: Refused) => [error.status, error.message],
  );
}

/** Tests that must pass on SQLite and Postgres. */
function tests(env: () => Promise<Record<string, string>>): void {
  it('has the stake of the wallet read again after minting, since it may have been looked at before it was there', async () => {
    const { gateway, mint } = await serveGateway({ env: await env() });
    const lookAgain = vi.spyOn(gateway.allocations, 'lookAgain');
    await mint();
    expect(lookAgain).toHaveBeenCalledExactlyOnceWith(await findWalletAccount(gateway.db, wallet.address));
  });

  it('a minted key is sent as it is, however long what was chosen beside it', async () => {
    const { origin } = await serveGateway({ env: await env() });
    const body = JSON.stringify({
      ...(await claimOf(origin)),
      description: 'x'.repeat(200),
      alert: { usd: 1, webhookUrl: `https://example.com/${'a'.repeat(1_500)}` },
    });
    const answer = await fetch(origin + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, br, zstd' },
      body,
    });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
    const text = await answer.text();
    expect(text.length).toBeGreaterThan(1_024);
    expect(text).toMatch(/"apiKey":"tpk_[\w-]{43}"/);
  });

  it('mints a key that works once its account has money, is listed with what it spent, and is dead with the request after its revocation', async () => {
    const { gateway, origin, mint, call } = await serveGateway({ env: await env() });
    const minted = await mint({
      description: 'bot',
      consumptionLimit: { usd: 1 },
      limitPeriod: 'EPOCH',
      expiresAt: '2999-12-31',
    });
    expect(minted).toEqual({
      apiKey: expect.stringMatching(/^tpk_[\w-]{43}$/),
      id: expect.stringMatching(/^[1-9][0-9]*$/),
      apiKeyType: 'INFERENCE',
      description: 'bot',
      consumptionLimit: { usd: 1, diem: null },
      limitPeriod: 'EPOCH',
      expiresAt: '2999-12-31T23:59:59.999Z',
    });
    expect(await call(minted.apiKey)).toBe(402);
    const accountId = (await findWalletAccount(gateway.db, wallet.address)) as number;
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000_000, detail: 'test' });
    expect(await call(minted.apiKey)).toBe(200);

    const admin = { baseUrl: origin, apiKey: (await mint({ apiKeyType: 'ADMIN' })).apiKey };
    const { data, pagination } = await listKeys(admin);
    expect(data).toHaveLength(2);
    expect(pagination).toEqual({ limit: 100, offset: 0, hasMore: false });
    const spent = { usd: 0.000014, diem: 0 };
    expect(data[1]).toMatchObject({
      id: minted.id,
      last6Chars: minted.apiKey.slice(-6),
      usage: { currentPeriod: spent, total: spent },
      lastUsedAt: expect.any(String),
      revokedAt: null,
    });
    expect(data[0]).toMatchObject({ apiKeyType: 'ADMIN', lastUsedAt: null });
    expect(JSON.stringify(data)).not.toContain(minted.apiKey.slice(4, -6));

    await revokeKey(admin, minted.id);
    expect(await call(minted.apiKey)).toBe(401);
    await revokeKey(admin, minted.id);
    expect((await listKeys(admin)).data.map(({ id }) => id)).not.toContain(minted.id);
    expect((await listKeys(admin, '?includeRevoked=true')).data[1]).toMatchObject({
      id: minted.id,
      revokedAt: expect.any(String),
    });
  });

  it('lets an ADMIN key revoke itself, and nothing after that', async () => {
    const { origin, mint } = await serveGateway({ env: await env() });
    const [one, two] = [await mint({ apiKeyType: 'ADMIN' }), await mint({ apiKeyType: 'ADMIN' })];
    const itself = { baseUrl: origin, apiKey: one.apiKey };
    await listKeys(itself);
    await revokeKey(itself, one.id);
    for (const attempt of [() => listKeys(itself), () => revokeKey(itself, one.id), () => revokeKey(itself, two.id)])
      await expect(attempt()).rejects.toMatchObject({ status: 401 });
    expect((await listKeys({ baseUrl: origin, apiKey: two.apiKey })).data.map(({ id }) => id)).toEqual([two.id]);
  });

  it('shows and revokes nothing of another account', async () => {
    const { origin, mint, call, gateway } = await serveGateway({ env: await env() });
    const theirs = await mint({}, stranger);
    const accountId = (await findWalletAccount(gateway.db, stranger.address)) as number;
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000_000, detail: 'test' });
    const mine = { baseUrl: origin, apiKey: (await mint({ apiKeyType: 'ADMIN' })).apiKey };
    expect((await listKeys(mine, '?includeRevoked=true')).data).toHaveLength(1);
    await expect(revokeKey(mine, theirs.id)).rejects.toMatchObject({ status: 404, code: 'API_KEY_NOT_FOUND' });
    expect(await call(theirs.apiKey)).toBe(200);
  });

  it('makes nobody an owner of keys by an INFERENCE key', async () => {
    const { origin, mint } = await serveGateway({ env: await env() });
    const { apiKey, id } = await mint();
    const access = { baseUrl: origin, apiKey };
    for (const attempt of [() => listKeys(access), () => revokeKey(access, id)])
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
}

describe('keys of wallets, on SQLite', () => tests(() => Promise.resolve({})));
describeWithPostgres('keys of wallets, on Postgres', (server) => {
  tests(async () => ({ DATABASE_URL: await server().createMigratedDatabase() }));

  it('are of all gateways at once: a token of one mints at another, and a key that one revokes is dead at all with the next request', async () => {
    const env = { DATABASE_URL: await server().createMigratedDatabase() };
    const [one, two] = [await serveGateway({ env }), await serveGateway({ env })];
    const { apiKey, id } = await mintKey(two.origin, await claimOf(one.origin));
    const accountId = (await findWalletAccount(one.gateway.db, wallet.address)) as number;
    await grant(one.gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000_000, detail: 'test' });
    const admin = await one.mint({ apiKeyType: 'ADMIN' });
    for (const { call, origin } of [one, two]) {
      expect(await call(apiKey)).toBe(200);
      expect((await listKeys({ baseUrl: origin, apiKey: admin.apiKey })).data).toHaveLength(2);
    }
    await revokeKey({ baseUrl: two.origin, apiKey: admin.apiKey }, id);
    for (const { call } of [one, two]) expect(await call(apiKey)).toBe(401);
    await revokeKey({ baseUrl: one.origin, apiKey: admin.apiKey }, admin.id);
    for (const { origin } of [one, two])
      await expect(listKeys({ baseUrl: origin, apiKey: admin.apiKey })).rejects.toMatchObject({ status: 401 });
  });
});

describe('GET and POST /api_keys/generate_web3_key', () => {
  it('answers {success, data}, for nobody to keep', async () => {
    const { ask, origin } = await serveGateway();
    const token = await ask('GET', PATH);
    expect(token).toMatchObject({
      status: 200,
      json: { success: true, data: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) } },
    });
    const minted = await ask('POST', PATH, { body: await claimOf(origin) });
    expect(minted).toMatchObject({
      status: 200,
      json: {
        success: true,
        data: {
          apiKey: expect.any(String),
          expiresAt: null,
          consumptionLimit: { usd: null, diem: null },
          limitPeriod: 'LIFETIME',
          description: '',
        },
      },
    });
    for (const { headers } of [token, minted]) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('are limited together by client address, with X-RateLimit-* on the 429', async () => {
    const { ask } = await serveGateway({ limits: {} });
    for (let count = 0; count < 15; count++) {
      expect((await ask('GET', PATH)).status).toBe(200);
      expect((await ask('POST', PATH, { body: {} })).status).toBe(400);
    }
    for (const method of ['GET', 'POST']) {
      const { status, headers, json } = await ask(method, PATH, method === 'POST' ? { body: {} } : {});
      expect(status).toBe(429);
      expect(json).toMatchObject({ code: 'MINUTE_CAP', customMessage: expect.stringContaining('30') });
      expect(headers.get('x-ratelimit-limit')).toBe('30');
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1);
    }
  });

  it('each of the eight texts of the specification can be had, as a 400 with the text in its error', async () => {
    const { origin, mint, clock } = await serveGateway();
    const other = await serveGateway({ env: { TURNPIKE_SECRET: 't'.repeat(32) } });
    const claim = await claimOf(origin);
    expect(await refusalOf(mint({ address: '0x123' }))).toEqual([400, 'Invalid wallet address.']);
    expect(await refusalOf(mint({ token: `${claim.token.slice(0, -43)}${'A'.repeat(43)}` }))).toEqual([
      400,
      'JWT signature is invalid.',
    ]);
    expect(await refusalOf(mintKey(other.origin, claim))).toEqual([400, 'JWT signature is invalid.']);
    expect(await refusalOf(mint({ token: 'token' }))).toEqual([400, 'JWT is malformed.']);
    expect(await refusalOf(mint({ signature: await stranger.signMessage({ message: claim.token }) }))).toEqual([
      400,
      'Wallet signature does not match.',
    ]);
    expect(await refusalOf(mint({ signature: 'signature' }))).toEqual([400, 'Wallet signature does not match.']);
    clock.now += 15 * 60_000;
    expect(await refusalOf(mintKey(origin, claim))).toEqual([400, 'JWT has expired.']);

    const unstaked = await serveGateway({ stake: () => Promise.resolve(false) });
    expect(await refusalOf(unstaked.mint())).toEqual([400, 'Wallet has no staked TPK on Base.']);
    const unreachable = await serveGateway({ node: false });
    expect(await refusalOf(unreachable.mint({ signature: `0x${'11'.repeat(65)}` }))).toEqual([
      400,
      'Could not verify wallet signature.',
    ]);
  });

  it('never mints while the chain is silent: 503 for the stake, and Retry-After', async () => {
    const silent = () => Promise.reject(Object.assign(new Error('silence'), { name: 'ChainUnavailable' }));
    const { ask, origin, gateway } = await serveGateway({ stake: silent });
    const { status, json, headers } = await ask('POST', PATH, { body: await claimOf(origin) });
    expect(status).toBe(503);
    expect(json).toMatchObject({ code: 'STAKE_UNAVAILABLE' });
    expect(headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(await gateway.db.selectFrom('api_keys').select('id').execute()).toEqual([]);
  });

  it.each([
    ['no body', '', 'EMPTY_BODY'],
    ['no JSON', '{', 'INVALID_JSON'],
    ['no object', '[]', 'INVALID_REQUEST'],
    ['no fields', '{}', 'INVALID_REQUEST'],
  ])('%s is a DetailedError', async (_what, body, code) => {
    const { ask } = await serveGateway();
    expect(await ask('POST', PATH, { body })).toMatchObject({
      status: 400,
      json: { code, error: expect.any(String), details: { _errors: expect.any(Array) } },
    });
  });

  it('a wrong field is named in the details, before anything of the claim is looked at', async () => {
    const { ask, origin, clock } = await serveGateway();
    const claim = await claimOf(origin);
    const past = new Date(clock.now).toISOString();
    for (const [field, value] of [
      ['apiKeyType', 'ROOT'],
      ['expiresAt', 'soon'],
      ['expiresAt', past],
      ['expiresAt', '2020-01-01'],
      ['description', 'x'.repeat(257)],
      ['limitPeriod', 'DAY'],
      ['consumptionLimit', { usd: -1 }],
    ] as const) {
      const { status, json } = await ask('POST', PATH, { body: { ...claim, address: 'x', [field]: value } });
      expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.details).toHaveProperty(field);
    }
    expect(await ask('POST', PATH, { body: { ...claim, admin: true } })).toMatchObject({
      status: 400,
      json: { details: { _errors: ['There is no field "admin".'] } },
    });
  });

  it('a body of another type is 415, and one that is too large 413', async () => {
    const { ask } = await serveGateway();
    expect(
      (await ask('POST', PATH, { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
        .status,
    ).toBe(415);
    expect((await ask('POST', PATH, { body: { token: 'x'.repeat(100_000) } })).status).toBe(413);
  });
});

describe('GET and DELETE /api_keys', () => {
  it('give pages, newest first', async () => {
    const { origin, mint } = await serveGateway();
    const admin = await mint({ apiKeyType: 'ADMIN' });
    const ids = [admin.id];
    for (let count = 0; count < 4; count++) ids.unshift((await mint()).id);
    const options = { baseUrl: origin, apiKey: admin.apiKey };
    const page = async (limit: number, offset: number) => {
      const { data, pagination } = await listKeys(options, `?limit=${limit}&offset=${offset}`);
      return [data.map(({ id }) => id), pagination.hasMore];
    };
    expect(await page(2, 0)).toEqual([ids.slice(0, 2), true]);
    expect(await page(2, 2)).toEqual([ids.slice(2, 4), true]);
    expect(await page(2, 4)).toEqual([ids.slice(4), false]);
    expect(await page(5, 0)).toEqual([ids, false]);
    expect(await page(5, 99)).toEqual([[], false]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=',
    'limit=1.5',
    'offset=-1',
    'offset=9999999999',
    'includeRevoked=1',
  ])('?%s is a DetailedError', async (query) => {
    const { ask, mint } = await serveGateway();
    const headers = { authorization: `Bearer ${(await mint({ apiKeyType: 'ADMIN' })).apiKey}` };
    expect(await ask('GET', `/api/v1/api_keys?${query}`, { headers })).toMatchObject({
      status: 400,
      json: { details: { [query.split('=')[0] as string]: expect.anything() } },
    });
  });

  it('revoking needs an id: without one 400, with one that is nobody’s 404', async () => {
    const { ask, mint } = await serveGateway();
    const headers = { authorization: `Bearer ${(await mint({ apiKeyType: 'ADMIN' })).apiKey}` };
    for (const query of ['', '?', '?id='])
      expect((await ask('DELETE', `/api/v1/api_keys${query}`, { headers })).status).toBe(400);
    for (const id of ['999', '0', '-1', 'x', '1%20or%201', '9'.repeat(40), '%00']) {
      expect(await ask('DELETE', `/api/v1/api_keys?id=${id}`, { headers })).toMatchObject({
        status: 404,
        json: { code: 'API_KEY_NOT_FOUND' },
      });
    }
  });

  it('without a credential they are 401, and with one that is not known', async () => {
    const { ask } = await serveGateway();
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(method, '/api/v1/api_keys?id=1')).status).toBe(401);
      expect(
        (await ask(method, '/api/v1/api_keys?id=1', { headers: { authorization: 'Bearer tpk_unknown' } })).status,
      ).toBe(401);
    }
  });

  it('have one cap for a caller, whichever of its keys asks', async () => {
    const { origin, mint, ask } = await serveGateway({ limits: { requestsPerMinute: 3 } });
    const [one, two] = [await mint({ apiKeyType: 'ADMIN' }), await mint({ apiKeyType: 'ADMIN' })];
    for (const { apiKey } of [one, two, one]) await listKeys({ baseUrl: origin, apiKey });
    for (const [method, { apiKey }] of [
      ['GET', two],
      ['DELETE', one],
    ] as const) {
      const { status, json, headers } = await ask(method, '/api/v1/api_keys?id=1', {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect([status, json.code]).toEqual([429, 'MINUTE_CAP']);
      expect(headers.get('x-ratelimit-limit')).toBe('3');
    }
  });

  it('a key that expires is listed until it is revoked, and stops being an owner when it does', async () => {
    const { origin, mint, clock } = await serveGateway();
    const admin = { baseUrl: origin, apiKey: (await mint({ apiKeyType: 'ADMIN' })).apiKey };
    const expiring = await mint({ apiKeyType: 'ADMIN', expiresAt: new Date(clock.now + 60_000).toISOString() });
    await listKeys({ baseUrl: origin, apiKey: expiring.apiKey });
    clock.now += 60_000;
    await expect(listKeys({ baseUrl: origin, apiKey: expiring.apiKey })).rejects.toMatchObject({ status: 401 });
    expect((await listKeys(admin)).data.map(({ id }) => id)).toContain(expiring.id);
  });
});
