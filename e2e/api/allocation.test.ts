/**
 * @not next: allocations are computed behind the adapter. Charges to several balances use the same call.
 * @at postgres: database functions compute allocations and charges to several balances.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import type { Answer } from './harness/http-exchange';
import { Minter } from './harness/minter';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { Staker } from './harness/staker';

/**
 * spec, "Authentication": a key spends the daily allocation first, then bundled credits, then USD. wire, "Shapes": how
 * the allocation is fixed. Uses a script without browser over a real chain. Tests of the epoch's end need their own
 * clock: see lib/server/api/billing and lib/server/billing.
 */

const TOKENS = 10n ** 18n;
/** A call of 20 credits costs 14,000 nano-USD. The pool of a day pays one call and a part of the next. */
const POOL_NANO_USD = 18_000;

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let minter: Minter;

beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway({ staking: { dailyPoolUsd: '0.000018' } }));
  minter = new Minter(gateway);
});
afterAll(() => gateway?.stop());

const asKey = (path: string, key: string): Promise<Answer> =>
  gateway.ask({ method: 'GET', path: `/api/v1/billing/${path}`, headers: { authorization: `Bearer ${key}` } });
const chainId = (key: string): Promise<Answer> =>
  gateway.rpc({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { as: { key }, network: 'sandbox-testnet' });

describe('a wallet that stakes both tokens', () => {
  test('spends its allocation, one charge over all three pots, then USD, and then is told what is missing', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    await staker.stake('dailyCredit', TOKENS);
    const { apiKey } = await minter.mint(staker);
    const accountId = await minter.accountOf(apiKey);

    expect((await asKey('balance', apiKey)).json).toMatchObject({
      canConsume: true,
      consumptionCurrency: 'DIEM',
      balances: { diem: 0.000018, usd: 0 },
      diemEpochAllocation: POOL_NANO_USD / 1e9,
    });
    expect((await chainId(apiKey)).status).toBe(200);

    const account = ['--account', String(accountId)];
    await gateway.operator.run('grants add', ...account, '--bundled', '0.000005');
    await gateway.operator.run('grants add', ...account, '--usd', '0.00002');
    expect((await chainId(apiKey)).status).toBe(200);
    expect((await chainId(apiKey)).status).toBe(200);
    const refused = await chainId(apiKey);
    expect([refused.status, refused.json]).toEqual([
      402,
      expect.objectContaining({
        code: 'INSUFFICIENT_BALANCE',
        currentBalanceUsd: 0.000001,
        minimumBalanceUsd: 0.000014,
      }),
    ]);

    expect(gateway.books.charges(accountId).map(({ pot, amount }) => [pot, amount])).toEqual([
      ['diem', 14_000],
      ['diem', 4_000],
      ['bundled', 5_000],
      ['usd', 5_000],
      ['usd', 14_000],
    ]);
    const usage = (await asKey('usage', apiKey)).json as { data: { amount: string; pots: object }[] };
    expect(usage.data.map(({ amount }) => amount)).toEqual(['0.000014000', '0.000014000', '0.000014000']);
    expect(usage.data[1]?.pots).toEqual({ DIEM: '0.000004000', BUNDLED_CREDITS: '0.000005000', USD: '0.000005000' });
    expect((await asKey('usage?groupBy=day', apiKey)).json).toMatchObject({
      totals: { charges: 3, amount: '0.000042000', reconciles: true },
    });
    expect(await gateway.operator.checkLedger()).toMatchObject({ ok: true });

    // A fixed allocation does not grow with the stake, and is given only once.
    await staker.stake('dailyCredit', TOKENS);
    expect((await asKey('balance', apiKey)).json).toMatchObject({
      balances: { diem: 0 },
      diemEpochAllocation: POOL_NANO_USD / 1e9,
    });
  });

  test('has a share of the pool, rounded down, and a key beyond its own diem limit is told what helps', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    await staker.stake('dailyCredit', 100n * TOKENS);
    const { apiKey } = await minter.mint(staker, { consumptionLimit: { diem: 0.00001 } });
    await gateway.operator.run('grants add', '--account', String(await minter.accountOf(apiKey)), '--usd', '1');
    // 100 of 102 tokens, unless another test has staked since.
    expect((await asKey('balance', apiKey)).json).toMatchObject({
      diemEpochAllocation: Math.floor((POOL_NANO_USD * 100) / 102) / 1e9,
    });
    const refused = await chainId(apiKey);
    expect(refused.status).toBe(402);
    expect(refused.json).toMatchObject({
      code: 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED',
      error: expect.stringMatching(/another key/),
    });
  });

  test('has no allocation under 0.1 tokens', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    await staker.stake('dailyCredit', TOKENS / 10n - 1n);
    const { apiKey } = await minter.mint(staker);
    expect((await asKey('balance', apiKey)).json).toMatchObject({ canConsume: false, diemEpochAllocation: 0 });
    expect((await chainId(apiKey)).json).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });
});

test('balance and usage without a credential are 401', async () => {
  for (const path of ['balance', 'usage'])
    expect(await gateway.ask({ method: 'GET', path: `/api/v1/billing/${path}` })).toMatchObject({
      status: 401,
      json: { code: 'UNAUTHORIZED' },
    });
});
