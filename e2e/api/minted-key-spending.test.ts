/**
 * @not next: the meter decides the spending order behind the adapter.
 * @at postgres: a database function decides the spending order.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectCharged, NANO_USD_PER_CREDIT } from './harness/credits';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Answer } from './harness/http-exchange';
import { Minter } from './harness/minter';
import type { SandboxDescription } from './harness/sandbox-gateway';
import { Staker } from './harness/staker';

/**
 * spec, "Authentication": spending order, from the faucet to the last cent, with real stand-in chains and contracts.
 */

const TOKENS = 10n ** 18n;
const CALL_NANO_USD = 20 * NANO_USD_PER_CREDIT;
/** A single staker gets the whole allocation: two calls and a seventh of one. */
const POOL_NANO_USD = 2 * CALL_NANO_USD + CALL_NANO_USD / 7;

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let minter: Minter;

beforeAll(async () => {
  const config = {
    limits: { publicRequestsPerMinutePerIp: 100_000 },
    staking: { dailyPoolUsd: decimal(POOL_NANO_USD) },
  };
  gateway = await startGateway({ profile: 'sandbox', config });
  sandbox = (await gateway.ask({ method: 'GET', path: '/api/sandbox' })).json as SandboxDescription;
  minter = new Minter(gateway);
});
afterAll(() => gateway?.stop());

const chainId = (key: string): Promise<Answer> =>
  gateway.rpc({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { as: { key }, network: 'sandbox-testnet' });

function decimal(nanoUsd: number): string {
  return `0.${String(nanoUsd).padStart(9, '0')}`;
}

/** Returns the amounts that each balance paid for one call. */
function potsOf(answer: Answer): [string, number][] {
  return gateway.books
    .charges()
    .filter(({ requestId }) => requestId === answer.headers['x-request-id'])
    .map(({ pot, amount }) => [pot, amount]);
}

test('a wallet without a browser is funded, stakes, mints and calls: from the daily allocation, then bundled credits, then USD, then 402', async () => {
  const staker = await Staker.funded(gateway, sandbox);
  await staker.stake('stake', TOKENS);
  await staker.stake('dailyCredit', TOKENS);
  const { apiKey } = await minter.mint(staker);
  const first = await chainId(apiKey);
  expectCharged(gateway, first, 20);
  expect(first.json).toMatchObject({ result: '0x7a69' });
  expect(potsOf(first)).toEqual([['diem', CALL_NANO_USD]]);
  expect(potsOf(await chainId(apiKey))).toEqual([['diem', CALL_NANO_USD]]);

  const account = String(await minter.accountOf(apiKey));
  await gateway.operator.run('grants add', '--account', account, '--bundled', decimal((CALL_NANO_USD * 2) / 7));
  await gateway.operator.run('grants add', '--account', account, '--usd', decimal((CALL_NANO_USD * 11) / 7));
  const spanning = await chainId(apiKey);
  expect(spanning.status, spanning.text).toBe(200);
  expect(spanning.headers['x-service-rpc-credits']).toBe('20');
  expect(potsOf(spanning)).toEqual([
    ['diem', CALL_NANO_USD / 7],
    ['bundled', (CALL_NANO_USD * 2) / 7],
    ['usd', (CALL_NANO_USD * 4) / 7],
  ]);
  expect(potsOf(await chainId(apiKey))).toEqual([['usd', CALL_NANO_USD]]);
  const empty = await chainId(apiKey);
  expect(empty.status).toBe(402);
  expect(empty.json).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(await gateway.operator.checkLedger()).toMatchObject({ ok: true });
});
