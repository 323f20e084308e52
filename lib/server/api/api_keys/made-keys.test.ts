import { describe, expect, it } from 'vitest';
import { bearer, type KeysGateway, openKeysGateway, USD } from '@/test/keys-gateway';
import { describeWithPostgres } from '@/test/postgres';
import { grant } from '../../db/credits';

interface Answer {
  status: number;
  json: { data: Record<string, unknown>; code?: string; error?: string };
}

async function ask(
  { origin }: KeysGateway,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1/api_keys${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

const make = (keys: KeysGateway, body: unknown, by = keys.admin.secret): Promise<Answer> =>
  ask(keys, 'POST', '', bearer(by), body);

/** Tests that must pass on SQLite and Postgres. */
function tests(env: () => Promise<Record<string, string>>): void {
  it('an ADMIN key makes a key that works, is listed, and can be read by its id', async () => {
    const keys = await openKeysGateway(await env());
    await grant(keys.gateway.db, { accountId: keys.accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    const made = await make(keys, { description: 'customer 42', consumptionLimit: { usd: 0.5 }, limitPeriod: 'MONTH' });
    expect(made).toMatchObject({
      status: 200,
      json: { data: { apiKeyType: 'INFERENCE', consumptionLimit: { usd: 0.5, diem: null }, limitPeriod: 'MONTH' } },
    });
    const { apiKey, id } = made.json.data as { apiKey: string; id: string };
    const call = await fetch(`${keys.origin}/api/v1/crypto/rpc/base-mainnet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(apiKey) },
      body: JSON.stringify({ method: 'eth_chainId', id: 1 }),
    });
    expect(call.status).toBe(200);
    const listed = (await keys.list()).find((key) => key['id'] === id);
    expect(listed).toMatchObject({ description: 'customer 42', last6Chars: apiKey.slice(-6) });
    expect((await ask(keys, 'GET', `/${id}`, bearer(keys.admin.secret))).json.data).toEqual(listed);
    expect(JSON.stringify(listed)).not.toContain(apiKey);
  });

  it.each([
    ['a wider scope', { allow: { endpoints: ['rpc'] } }, {}],
    ['another network', { allow: { networks: ['base-mainnet'] } }, { allow: { networks: ['polygon-mainnet'] } }],
    ['no limit', { limitUsdNano: USD }, {}],
    ['a higher limit', { limitUsdNano: USD }, { consumptionLimit: { usd: 2 } }],
    [
      'a shorter period',
      { limitUsdNano: USD, limitPeriod: 'MONTH' },
      { consumptionLimit: { usd: 1 }, limitPeriod: 'EPOCH' },
    ],
    ['no expiry', { expiresAt: Date.now() + 86_400_000 }, {}],
    ['a later expiry', { expiresAt: Date.now() + 86_400_000 }, { expiresAt: '2099-01-01' }],
  ] as const)('a key with %s than its ADMIN key is refused', async (_what, own, body) => {
    const keys = await openKeysGateway(await env());
    const { allow, ...terms } = { allow: null, ...own } as {
      allow: { endpoints?: 'rpc'[]; networks?: string[] } | null;
    };
    const admin = await keys.made({ type: 'ADMIN', ...terms, allow });
    const before = (await keys.list()).length;
    expect(await make(keys, body, admin.secret)).toMatchObject({
      status: 403,
      json: { code: 'FORBIDDEN', error: expect.stringContaining('more than it has itself') as string },
    });
    expect(await keys.list()).toHaveLength(before);
  });

  it('all keys of an ADMIN key fit into its limit together, also those that are made at once or were revoked', async () => {
    const keys = await openKeysGateway(await env());
    const admin = await keys.made({ type: 'ADMIN', limitUsdNano: 5 * USD, limitPeriod: 'LIFETIME' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => make(keys, { consumptionLimit: { usd: 1 } }, admin.secret)),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(5);
    for (const { status, json } of answers.filter((answer) => !made.includes(answer)))
      expect({ status, ...json }).toMatchObject({ status: 403, error: expect.stringContaining('6.00 USD') as string });
    await keys.revoke(Number(made[0]?.json.data['id']));
    expect((await make(keys, { consumptionLimit: { usd: 1 } }, admin.secret)).status).toBe(403);
    expect((await make(keys, { consumptionLimit: { usd: 0 } }, admin.secret)).status).toBe(200);
  });

  it('an INFERENCE key, a wallet, a revoked ADMIN key and a stranger make none', async () => {
    const keys = await openKeysGateway(await env());
    const before = (await keys.list()).length;
    expect((await make(keys, {}, keys.key.secret)).status).toBe(403);
    expect(await ask(keys, 'POST', '', await keys.signIn(), {})).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('generate_web3_key') as string },
    });
    const admin = await keys.made({ type: 'ADMIN' });
    await keys.revoke(admin.id);
    expect((await make(keys, {}, admin.secret)).status).toBe(401);
    expect((await ask(keys, 'POST', '', {}, {})).status).toBe(401);
    expect((await ask(keys, 'POST', '', { authorization: 'Bearer tpk_none' }, {})).status).toBe(401);
    expect(await keys.list()).toHaveLength(before);
  });

  it.each([
    ['an ADMIN key', { apiKeyType: 'ADMIN' }, 'apiKeyType'],
    ['a prepaid share', { prepaidLimitUsd: 1 }, 'prepaidLimitUsd'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a negative limit', { consumptionLimit: { usd: -1 } }, 'consumptionLimit'],
    ['a past expiry', { expiresAt: '2020-01-01' }, 'expiresAt'],
    ['an unknown network', { allow: { networks: ['base-mainet'] } }, 'base-mainnet'],
    ['no object', [], ''],
  ])('a request for %s is refused with its field', async (_what, body, named) => {
    const keys = await openKeysGateway(await env());
    const answer = await make(keys, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json)).toContain(named);
  });

  it('a key of another account, and an id of no key, are not found', async () => {
    const keys = await openKeysGateway(await env());
    for (const id of ['999', '0', '-1', '1e3', 'x', 'constructor'])
      expect((await ask(keys, 'GET', `/${id}`, bearer(keys.admin.secret))).status, id).toBe(404);
    expect((await ask(keys, 'GET', `/${keys.key.id}`, bearer(keys.key.secret))).status).toBe(403);
  });
}

describe('keys by API', () => {
  it('a key that has spent its limit may not pay for a call, whatever the account has', async () => {
    const keys = await openKeysGateway({});
    const { accountId, gateway } = keys;
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    await keys.prepay(3);
    const rights = async (terms: Parameters<KeysGateway['made']>[0], spent?: { usd: number; prepaid: number }) => {
      const { id, secret } = await keys.made({ limitPeriod: 'LIFETIME', ...terms });
      if (spent)
        await gateway.db
          .insertInto('key_spend')
          .values({ api_key_id: id, period: 'all', diem: 0, ...spent })
          .execute();
      const { accessPermitted, balances } = (await ask(keys, 'GET', '/rate_limits', bearer(secret))).json.data;
      return [accessPermitted, balances];
    };
    const usd = { limitUsdNano: USD / 2 };
    const account = { USD: 1, DIEM: 0, X402: 0 };
    expect(await rights(usd)).toEqual([true, account]);
    expect(await rights(usd, { usd: USD / 2 - 1, prepaid: 0 })).toEqual([true, account]);
    expect(await rights(usd, { usd: USD / 2, prepaid: 0 })).toEqual([false, account]);
    expect(await rights({ limitUsdNano: 0 })).toEqual([false, account]);
    expect(await rights({ limitDiemNano: 0 })).toEqual([true, account]);
    const prepaid = { limitPrepaidNano: 2 * USD };
    expect(await rights(prepaid)).toEqual([true, { ...account, X402: 2 }]);
    expect(await rights(prepaid, { usd: USD, prepaid: USD })).toEqual([true, { ...account, X402: 1 }]);
  });

  tests(() => Promise.resolve({}));

  it('any key reads its rate limits and balances', async () => {
    const keys = await openKeysGateway({});
    await grant(keys.gateway.db, { accountId: keys.accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    expect(await ask(keys, 'GET', '/rate_limits', bearer(keys.key.secret))).toMatchObject({
      status: 200,
      json: {
        data: {
          accessPermitted: true,
          apiTier: { id: 'paid', isCharged: true },
          balances: { USD: 1, DIEM: 0, X402: 0 },
          keyExpiration: null,
          rateLimits: [
            {
              apiModelId: 'crypto/rpc',
              rateLimits: [
                { amount: 100, type: 'RPM' },
                { amount: 10_000_000, type: 'CPD' },
              ],
            },
            { apiModelId: '*', rateLimits: [{ amount: 600, type: 'RPM' }] },
          ],
        },
      },
    });
    await keys.prepay(3);
    expect((await ask(keys, 'GET', '/rate_limits', await keys.signIn())).json.data).toMatchObject({
      balances: { USD: 0, DIEM: 0, X402: 3 },
    });
    expect((await ask(keys, 'GET', '/rate_limits', {})).status).toBe(401);
  });
});

describeWithPostgres('keys by API, on Postgres', (server) => {
  tests(async () => ({ DATABASE_URL: await server().createMigratedDatabase() }));
});
