import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../db/accounts';
import { insertApiKey, newApiKeySecret } from '../../db/api-keys';
import { creditWithin, grant } from '../../db/credits';
import { creditPayment, recordPayment } from '../../db/payments';
import { ensureWalletAccount } from '../../db/wallets';
import { recordWithdrawal } from '../../db/withdrawals';
import { nodeListener } from '../../http/node-adapter';
import { describeWithPostgres } from '@/test/postgres';
import { tempFolder } from '@/test/temp-folder';
import { serve, testGateway } from '@/test/test-gateway';

const NOON = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 21);
const WALLET = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const UNLIMITED = {
  type: 'INFERENCE',
  description: 'mine',
  expiresAt: null,
  limitPeriod: 'LIFETIME',
  limitUsdNano: null,
  limitDiemNano: null,
} as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Json {
  [name: string]: unknown;
  data: Record<string, unknown>[];
  details: object;
  pagination: { nextCursor: string };
}

/** Serves a gateway. Returns functions that call it as a caller with a wallet and a key. */
async function customer(env: Record<string, string> = {}) {
  // The share of the daily pool of 100 USD is 20,000 nano-USD.
  const staked = { staked: 1n, total: 5_000_000n, decimals: 0 };
  const stake = { holdsStake: () => Promise.resolve(true), dailyCreditStake: () => Promise.resolve(staked) };
  const gateway = await testGateway(env, undefined, { stake });
  const { origin } = await serve(nodeListener(gateway));
  const accountId = await ensureWalletAccount(gateway.db, WALLET);
  const secret = newApiKeySecret();
  const keyId = await insertApiKey(gateway.db, secret, { accountId, ...UNLIMITED });
  const ask = async (
    path: string,
    key: string | null = secret,
  ): Promise<{ status: number; body: Json; headers: Headers }> => {
    const response = await fetch(
      `${origin}/api/v1/billing/${path}`,
      key === null ? {} : { headers: { authorization: `Bearer ${key}` } },
    );
    return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
  };
  let calls = 0;
  const charge = async (
    amount: number,
    { resource = 'rpc/base-mainnet', apiKeyId = keyId as number | null } = {},
  ): Promise<void> => {
    const caller = { accountId, apiKeyId, purse: 'account' } as const;
    await gateway.allocations.ensure(accountId);
    const admission = await gateway.meter.reserve({
      caller,
      keyHash: null,
      maxNanoUsd: amount,
      maxCredits: 20,
      idempotency: null,
      now: Date.now(),
    });
    if (admission.outcome !== 'admitted') throw new Error(`Not admitted: ${JSON.stringify(admission)}`);
    await gateway.meter.settle(admission.reservation, {
      amountNanoUsd: amount,
      credits: 20,
      resource,
      detail: 'eth_call',
      requestId: `r${calls++}`,
      replayBody: null,
    });
  };
  /** Returns the lines of a CSV answer. */
  const askCsv = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/api/v1/billing/${path}`, {
      headers: { authorization: `Bearer ${secret}`, ...headers },
    });
    return {
      type: response.headers.get('content-type'),
      next: response.headers.get('x-next-cursor'),
      lines: (await response.text()).replace(/\r\n$/, '').split('\r\n'),
    };
  };
  return { gateway, accountId, secret, keyId, ask, askCsv, charge };
}

/** Days in these tests are not today, so they run only on SQLite: on Postgres, the database decides the day. */
describe('GET /billing/balance', () => {
  it('fixes the allocation, shows each pot, and what is spent next', async () => {
    const { gateway, accountId, ask, charge } = await customer();
    await grant(gateway.db, { accountId, pot: 'bundled', amountNanoUsd: 30_000, detail: '' });
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 2_000_000_000, detail: '' });
    expect(await ask('balance')).toMatchObject({
      status: 200,
      body: {
        canConsume: true,
        consumptionCurrency: 'DIEM',
        balances: { diem: 0.00002, bundledCredits: 0.00003, usd: 2 },
        diemEpochAllocation: 0.00002,
        diemEpochEndsAt: '2026-11-21T00:00:00.000Z',
      },
    });
    await charge(25_000);
    expect((await ask('balance')).body).toMatchObject({
      consumptionCurrency: 'BUNDLED_CREDITS',
      balances: { diem: 0, bundledCredits: 0.000025 },
      diemEpochAllocation: 0.00002,
    });
    await charge(25_000);
    expect((await ask('balance')).body).toMatchObject({ consumptionCurrency: 'USD', canConsume: true });
  });

  it('has the allocation back at 00:00 UTC, and never more than one', async () => {
    const { ask, charge } = await customer();
    await charge(15_000);
    vi.setSystemTime(MIDNIGHT);
    expect((await ask('balance')).body).toMatchObject({
      balances: { diem: 0.00002 },
      diemEpochAllocation: 0.00002,
      diemEpochEndsAt: '2026-11-22T00:00:00.000Z',
    });
  });

  it('of an empty account is nothing to consume, and no 402', async () => {
    const { gateway, ask } = await customer();
    const accountId = await createAccount(gateway.db, { label: '', tier: 'standard' });
    const secret = newApiKeySecret();
    await insertApiKey(gateway.db, secret, { accountId, ...UNLIMITED });
    expect(await ask('balance', secret)).toMatchObject({
      status: 200,
      body: { canConsume: false, consumptionCurrency: 'USD', diemEpochAllocation: 0 },
    });
  });

  it('without a credential is 401, with a bad one too', async () => {
    const { ask } = await customer();
    for (const path of ['balance', 'usage']) {
      expect(await ask(path, null)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
      expect(await ask(path, 'tpk_nonsense')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    }
  });

  it('is refused beyond the minute cap of a caller, whichever endpoint was asked, with the headers of a 429', async () => {
    const config = { limits: { requestsPerMinute: 2 } };
    const { ask } = await customer({ TURNPIKE_CONFIG: writeConfig(config) });
    await ask('balance');
    await ask('usage');
    const { status, headers, body } = await ask('balance');
    expect([
      status,
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
      headers.get('retry-after'),
    ]).toEqual([429, '2', '0', '60']);
    expect(body.customMessage).toMatch(/one caller/);
    vi.setSystemTime(NOON + 60_000);
    expect((await ask('balance')).status).toBe(200);
  });
});

function writeConfig(config: object): string {
  const file = join(tempFolder(), 'turnpike.config.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function usageTests(environment: () => Promise<Record<string, string>>, dated: boolean) {
  it('shows a charge that spans all three pots as one, split exactly', async () => {
    const { gateway, accountId, keyId, secret, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'bundled', amountNanoUsd: 7, detail: '' });
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    await charge(20_010);
    const { status, body } = await ask('usage');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        resource: 'rpc/base-mainnet',
        detail: 'eth_call',
        units: 20,
        amount: '0.000020010',
        currency: 'DIEM',
        pots: { DIEM: '0.000020000', BUNDLED_CREDITS: '0.000000007', USD: '0.000000003' },
        apiKey: { id: String(keyId), last6: secret.slice(-6), description: 'mine' },
        requestId: 'r0',
      },
    ]);
  });

  it.each(['usage?resource=a%00', 'usage?requestId=%00', 'requests?network=%00', 'requests?model=%00&limit=1'])(
    'refuses the character that databases cannot compare: %s',
    async (path) => {
      const { ask } = await customer(await environment());
      const { status, body } = await ask(path);
      const [name] = path.slice(path.indexOf('?') + 1).split('=');
      expect([status, body.details]).toMatchObject([400, { [name as string]: { _errors: [expect.any(String)] } }]);
    },
  );

  it('pages newest first, and by cursor new charges shift nothing', async () => {
    const { gateway, accountId, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    for (let i = 0; i < 7; i++) await charge(10_000);
    const ids = (body: Json) => body.data.map(({ requestId }) => requestId);
    const first = await ask('usage?limit=3');
    expect(ids(first.body)).toEqual(['r6', 'r5', 'r4']);
    expect(first.body.pagination).toMatchObject({ page: 1, limit: 3, hasMore: true });
    expect(ids((await ask('usage?limit=3&page=2')).body)).toEqual(['r3', 'r2', 'r1']);
    await charge(1);
    const second = await ask(`usage?limit=3&cursor=${first.body.pagination.nextCursor}`);
    expect(ids(second.body)).toEqual(['r3', 'r2', 'r1']);
    const third = await ask(`usage?limit=3&cursor=${second.body.pagination.nextCursor}`);
    expect([ids(third.body), third.body.pagination]).toEqual([
      ['r0'],
      { page: 1, limit: 3, hasMore: false, nextCursor: null },
    ]);
  });

  it('has the same charges as CSV, page by page, by parameter or by the Accept header', async () => {
    const { gateway, accountId, secret, askCsv, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    await charge(20_003, { resource: '=cmd,"x"' });
    await charge(5);
    const first = await askCsv('usage?format=csv&limit=1');
    expect([first.type, first.lines[0]]).toEqual([
      'text/csv; charset=utf-8',
      'time,resource,detail,units,amount_usd,daily_allocation_usd,bundled_credits_usd,usd,x402_usd,key,request_id',
    ]);
    expect(first.lines.slice(1).map((line) => line.split(',').slice(1))).toEqual([
      [
        'rpc/base-mainnet',
        'eth_call',
        '20',
        '0.000000005',
        '0',
        '0',
        '0.000000005',
        '0',
        `…${secret.slice(-6)} mine`,
        'r1',
      ],
    ]);
    const second = await askCsv(`usage?limit=1&cursor=${first.next}`, { accept: 'text/csv, application/json;q=0.5' });
    expect([second.next, second.lines.length]).toEqual([null, 2]);
    // Escapes text that a spreadsheet would read as a formula.
    expect(second.lines[1]).toMatch(
      /^[^,]+,"'=cmd,""x""",eth_call,20,0\.000020003,0\.000020000,0,0\.000000003,0,….{6} mine,r0$/,
    );
    expect((await askCsv('usage?format=csv&requestId=r0')).lines.slice(1)).toEqual(second.lines.slice(1));
    expect((await askCsv('usage?format=csv&requestId=none')).lines).toHaveLength(1);
    expect((await askCsv('usage?format=csv&groupBy=resource')).lines).toEqual([
      'resource,charges,units,amount_usd',
      `"'=cmd,""x""",1,20,0.000020003`,
      'rpc/base-mainnet,1,20,0.000000005',
    ]);
    for (const [query, accept] of [
      ['', 'application/json, text/csv'],
      ['', '*/*'],
      ['?format=json', 'text/csv'],
    ] as const)
      expect((await askCsv(`usage${query}`, { accept })).type).toBe('application/json');
  });

  it('state withdrawals apart, and credited minus them', async () => {
    const { gateway, accountId, ask } = await customer(await environment());
    const route = { network: 'eip155:8453', asset: '0xusdc', identity: 'one', content: '{}', from_height: 0 };
    const paid = { amount_units: '10', amount: 10_000_000 };
    const { id } = await recordPayment(gateway.db, {
      ...route,
      ...paid,
      payer: WALLET,
      pay_to: '0xto',
      expires_at: null,
      expires_height: null,
      client: null,
      call: null,
    });
    await creditPayment(gateway.db, id, { ...paid, transaction_id: '0x' });
    await recordWithdrawal(
      gateway.db,
      {
        ...route,
        account_id: accountId,
        wallet: WALLET,
        amount: 3_000_000,
        fee: 0,
        payout_units: '3',
        statement: '',
        expires_at: Date.now() + 60_000,
      },
      10_000_000,
    );
    expect((await ask('usage?groupBy=day')).body.totals).toMatchObject({
      pots: {
        X402: { opening: '0.000000000', credited: '0.007000000', withdrawn: '0.003000000', closing: '0.007000000' },
      },
      reconciles: true,
    });
  });

  it('sums by resource and key, and each pot leads from its balance to the next', async () => {
    const { gateway, accountId, keyId, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    await charge(30_000);
    await charge(1_000, { resource: 'chat/guide', apiKeyId: null });
    await charge(500, { resource: 'chat/guide' });
    const { body } = await ask('usage?groupBy=resource');
    expect(body.data).toMatchObject([
      {
        group: 'rpc/base-mainnet',
        charges: 1,
        units: 20,
        amount: '0.000030000',
        pots: { DIEM: '0.000020000', USD: '0.000010000' },
      },
      { group: 'chat/guide', charges: 2, units: 40, amount: '0.000001500', pots: { USD: '0.000001500' } },
    ]);
    expect(body.totals).toEqual({
      charges: 3,
      units: 60,
      amount: '0.000031500',
      refunded: '0.000000000',
      pots: {
        DIEM: {
          opening: '0.000000000',
          credited: '0.000020000',
          withdrawn: '0.000000000',
          charged: '0.000020000',
          expired: '0.000000000',
          closing: '0.000000000',
        },
        USD: {
          opening: '0.000000000',
          credited: '0.001000000',
          withdrawn: '0.000000000',
          charged: '0.000011500',
          expired: '0.000000000',
          closing: '0.000988500',
        },
      },
      reconciles: true,
    });
    expect((await ask('usage?groupBy=key')).body.data.map(({ group, amount }) => [group, amount])).toEqual([
      [String(keyId), '0.000030500'],
      ['', '0.000001000'],
    ]);
    expect((await ask('usage?groupBy=key')).body.data).toMatchObject([
      {
        apiKey: {
          id: String(keyId),
          last6: expect.stringMatching(/^\S{6}$/) as string,
          description: expect.any(String) as string,
        },
      },
      { apiKey: null },
    ]);
    expect(body.data[0]).not.toHaveProperty('apiKey');
    expect((await ask('usage?groupBy=day&resource=chat/guide')).body.data).toMatchObject([
      { group: dated ? '2026-11-20' : new Date().toISOString().slice(0, 10), charges: 2 },
    ]);
    expect((await ask(`usage?apiKeyId=${keyId}`)).body.data).toHaveLength(2);
  });

  it('splits days and hours by resource and by key, of one product if asked for', async () => {
    const { gateway, accountId, keyId, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    await charge(30_000);
    await charge(1_000, { resource: 'chat/guide', apiKeyId: null });
    await charge(500, { resource: 'chat/guide' });
    for (const [groupBy, start] of [
      ['day', /T00:00:00\.000Z$/],
      ['hour', /T\d\d:00:00\.000Z$/],
    ] as const) {
      const { body } = await ask(
        `usage?groupBy=${groupBy}&splitBy=resource&startDate=${dated ? '2026-11-20' : new Date().toISOString().slice(0, 10)}`,
      );
      expect(body).toMatchObject({ groupBy, splitBy: 'resource' });
      expect(body.data).toEqual([
        { group: expect.stringMatching(start), split: 'chat/guide', charges: 2, units: 40, amount: '0.000001500' },
        {
          group: expect.stringMatching(start),
          split: 'rpc/base-mainnet',
          charges: 1,
          units: 20,
          amount: '0.000030000',
        },
      ]);
    }
    const byKey = (await ask('usage?groupBy=day&splitBy=key&product=chat')).body.data;
    expect(byKey).toMatchObject([
      { split: '', apiKey: null, amount: '0.000001000' },
      { split: String(keyId), apiKey: { id: String(keyId) }, amount: '0.000000500' },
    ]);
    expect((await ask('usage?product=rpc')).body.data).toHaveLength(1);
    expect((await ask('usage?product=rpc&limit=1')).body.pagination).toMatchObject({ hasMore: false });
    for (const query of [
      'groupBy=hour',
      'splitBy=resource',
      'groupBy=key&splitBy=resource',
      'groupBy=day&product=rpc',
      'product=gold',
      'groupBy=hour&splitBy=key&startDate=2026-01-01&endDate=2026-02-01',
    ])
      expect((await ask(`usage?${query}`)).status, query).toBe(400);
  });

  it('sums what was paid back, beside the charges, and still reconciles', async () => {
    const { gateway, accountId, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    await charge(30_000, { resource: 'video/film' });
    await gateway.db.transaction().execute((transaction) =>
      creditWithin(transaction, {
        accountId,
        pot: 'usd',
        kind: 'REFUND',
        amountNanoUsd: 10_000,
        detail: 'video 1',
        requestId: 'r0',
      }),
    );
    for (const groupBy of ['day', 'resource', 'key']) {
      const { body } = await ask(`usage?groupBy=${groupBy}`);
      expect(body.data).toMatchObject([{ charges: 1, amount: '0.000030000' }]);
      expect(body.totals).toMatchObject({
        amount: '0.000030000',
        refunded: '0.000010000',
        pots: { USD: { credited: '0.001010000' } },
        reconciles: true,
      });
    }
  });

  it('finds the charge of a request by its id, over all its pots, and none of another account', async () => {
    const { gateway, accountId, ask, charge } = await customer(await environment());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000, detail: '' });
    for (const amount of [30_000, 500, 700]) await charge(amount);
    const found = await ask('usage?requestId=r0');
    expect(found.body.data).toMatchObject([
      { requestId: 'r0', amount: '0.000030000', pots: { DIEM: '0.000020000', USD: '0.000010000' } },
    ]);
    expect(found.body.pagination).toEqual({ page: 1, limit: 1, hasMore: false, nextCursor: null });
    expect((await ask('usage?requestId=r9')).body.data).toEqual([]);
    expect((await ask('usage?requestId=r0&endDate=2020-01-01')).body.data).toEqual([]);
    for (const query of ['requestId=', `requestId=${'r'.repeat(65)}`, 'requestId=r0&groupBy=day'])
      expect((await ask(`usage?${query}`)).status, query).toBe(400);
    const secret = newApiKeySecret();
    await insertApiKey(gateway.db, secret, {
      accountId: await createAccount(gateway.db, { label: '', tier: 'paid' }),
      ...UNLIMITED,
    });
    expect((await ask('usage?requestId=r0', secret)).body.data).toEqual([]);
  });

  it("shows nothing of another account's, and no money that came in", async () => {
    const { gateway, accountId, ask, charge } = await customer(await environment());
    await charge(5);
    const other = await createAccount(gateway.db, { label: '', tier: 'paid' });
    const secret = newApiKeySecret();
    await insertApiKey(gateway.db, secret, { accountId: other, ...UNLIMITED });
    await gateway.db.transaction().execute((transaction) =>
      creditWithin(transaction, {
        accountId: other,
        pot: 'x402',
        kind: 'TOP_UP',
        amountNanoUsd: 5,
        detail: '',
        requestId: 'topup',
      }),
    );
    expect((await ask('usage', secret)).body.data).toEqual([]);
    expect((await ask(`usage?apiKeyId=${accountId}&resource=rpc/base-mainnet`, secret)).body.data).toEqual([]);
  });
}

describe('GET /billing/usage, on SQLite', () => usageTests(() => Promise.resolve({}), true));

describeWithPostgres('GET /billing/usage, on Postgres', (server) => {
  beforeEach(() => {
    vi.useRealTimers();
  });
  usageTests(async () => ({ DATABASE_URL: await server().createMigratedDatabase() }), false);
});

describe('the dates of GET /billing/usage', () => {
  it('include whole days, and expiry and a new allocation in the sums', async () => {
    const { ask, charge } = await customer();
    await charge(15_000);
    vi.setSystemTime(MIDNIGHT);
    await charge(5_000);
    vi.setSystemTime(MIDNIGHT + 3_600_000);
    expect((await ask('usage?startDate=2026-11-20&endDate=2026-11-20')).body.data).toHaveLength(1);
    expect((await ask('usage?startDate=2026-11-20&endDate=2026-11-21')).body.data).toHaveLength(2);
    expect((await ask('usage?startDate=2026-11-21T00:00:00Z')).body.data).toHaveLength(1);
    const { body } = await ask('usage?groupBy=day&startDate=2026-11-20');
    expect(body.data.map(({ group, amount }) => [group, amount])).toEqual([
      ['2026-11-21', '0.000005000'],
      ['2026-11-20', '0.000015000'],
    ]);
    expect(body.totals).toMatchObject({
      pots: {
        DIEM: {
          opening: '0.000000000',
          credited: '0.000040000',
          withdrawn: '0.000000000',
          charged: '0.000020000',
          expired: '0.000005000',
          closing: '0.000015000',
        },
      },
      reconciles: true,
    });
    expect((await ask('usage?groupBy=day&startDate=2026-11-21')).body.totals).toMatchObject({
      pots: { DIEM: { opening: '0.000005000' } },
      reconciles: true,
    });
  });

  it.each([
    ['startDate=yesterday', 'startDate'],
    ['startDate=2026-02-30', 'startDate'],
    ['startDate=2026-11-20T12:00:00', 'startDate'],
    ['endDate=11/20/2026', 'endDate'],
    ['startDate=2026-11-20&endDate=2026-11-19', 'endDate'],
    ['startDate=2020-01-01', 'endDate'],
    ['format=xml', 'format'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=-1', 'limit'],
    ['page=0', 'page'],
    ['page=9999&limit=500', 'page'],
    ['cursor=x', 'cursor'],
    ['cursor=1-2&page=2', 'page'],
    ['cursor=1-2%3Bdrop', 'cursor'],
    ['apiKeyId=mine', 'apiKeyId'],
    ['groupBy=day&cursor=1-1', 'cursor'],
    ['groupBy=key&page=2', 'page'],
    ['groupBy=hour', 'groupBy'],
  ])('%s is 400, naming %s', async (query, field) => {
    const { ask } = await customer();
    const { status, body } = await ask(`usage?${query}`);
    expect([status, Object.keys(body.details)]).toEqual([400, expect.arrayContaining([field])]);
  });
});
