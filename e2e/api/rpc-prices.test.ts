/**
 * @not next: prices are computed from parsed calls. rpc-response.test.ts checks the headers with prices through Next.
 * @at postgres: database functions debit balances. What a method costs is decided before, and not tested there.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from './harness/at';
import { expectCharged, usdOf } from './harness/credits';
import { type LiveGateway, startLiveGateway, UNCONFIGURED_NETWORK } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { SPECIFIED_FAMILIES } from './harness/specified-networks';
import { answerOfEach, errorOfEach } from './harness/stub-upstream';

/** spec, POST /crypto/rpc/{network}, rules 2, 4 and 5, and "Limits": what a call costs. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway({
    networks: (stub) => ({
      'foo-mainnet': { upstreams: [stub.url('foo-mainnet')] },
      'foo-testnet': { upstreams: [stub.url('foo-testnet')] },
      'bar-mainnet': { upstreams: [stub.url('bar-mainnet')], baseCredits: 50 },
    }),
    rpc: { extraMethods: [{ name: 'custom_read', kind: 'evm', tier: 'advanced' }] },
  });
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const call = (method: string, network: string) =>
  live.gateway.rpc({ jsonrpc: '2.0', id: 1, method }, { as: caller, network });

at('fast').describe('rule 2: supported methods fall into three pricing tiers', () => {
  const standard = {
    'ethereum-mainnet': [
      [
        'eth_call',
        'eth_getBalance',
        'eth_blockNumber',
        'eth_sendRawTransaction',
        'eth_getLogs',
        'eth_getTransactionReceipt',
        'eth_estimateGas',
      ],
      ['eth_chainId', 'net_version', 'web3_clientVersion'],
      [
        'eth_sendUserOperation',
        'eth_estimateUserOperationGas',
        'eth_getUserOperationByHash',
        'eth_getUserOperationReceipt',
        'eth_supportedEntryPoints',
      ],
    ],
    'linea-mainnet': [['linea_estimateGas', 'linea_getProof']],
    'polygon-mainnet': [['bor_getAuthor', 'bor_getRootHash', 'bor_getSigners']],
    'starknet-mainnet': [
      ['starknet_blockNumber', 'starknet_call', 'starknet_getEvents', 'starknet_addInvokeTransaction'],
    ],
  };
  test.each(
    Object.entries(standard).flatMap(([network, groups]) => groups.flat().map((method) => [method, network] as const)),
  )('Standard, multiplier 1: %s on %s', async (method, network) =>
    expectCharged(live.gateway, await call(method, network), 20),
  );

  const standardOf30: [method: string, network: string][] = [
    ['zks_estimateFee', 'zksync-mainnet'],
    ['zks_L1BatchNumber', 'zksync-sepolia'],
    ...[
      'getAccountInfo',
      'getBalance',
      'getLatestBlockhash',
      'getProgramAccounts',
      'sendTransaction',
      'simulateTransaction',
    ].map((method): [string, string] => [method, 'solana-mainnet']),
  ];
  test.each(standardOf30)('Standard, multiplier 1, on a base of 30: %s on %s', async (method, network) =>
    expectCharged(live.gateway, await call(method, network), 30),
  );

  test.each([
    ...[
      'trace_block',
      'trace_call',
      'trace_transaction',
      'trace_filter',
      'debug_traceCall',
      'debug_traceTransaction',
      'debug_traceBlockByHash',
    ],
    ...['txpool_inspect', 'txpool_status', 'arbtrace_call', 'arbtrace_block', 'arbtrace_transaction'],
  ])('Advanced, multiplier 2: %s', async (method) =>
    expectCharged(live.gateway, await call(method, 'arbitrum-mainnet'), 40),
  );

  test.each([
    ...[
      'trace_replayBlockTransactions',
      'trace_replayTransaction',
      'txpool_content',
      'arbtrace_replayTransaction',
      'arbtrace_replayBlockTransactions',
    ],
  ])('Large, multiplier 4: %s', async (method) =>
    expectCharged(live.gateway, await call(method, 'arbitrum-mainnet'), 80),
  );

  test.each(['getLargestAccounts', 'getSupply'])('Large, multiplier 4, on a base of 30: %s', async (method) => {
    expectCharged(live.gateway, await call(method, 'solana-devnet'), 120);
  });
});

at('fast').describe('rule 4: credits per call = baseCredits(chain) x tier multiplier', () => {
  const perNetwork = SPECIFIED_FAMILIES.flatMap(({ family, baseCredits, slugs }) =>
    slugs.map((slug) => ({ family, baseCredits, slug })),
  );
  test.each(perNetwork.filter(({ slug }) => slug !== UNCONFIGURED_NETWORK))(
    'baseCredits is $baseCredits for $family: $slug',
    async ({ slug, baseCredits }) => {
      const method = slug.startsWith('solana')
        ? 'getBalance'
        : slug.startsWith('starknet')
          ? 'starknet_chainId'
          : 'eth_chainId';
      expectCharged(live.gateway, await call(method, slug), baseCredits);
    },
  );

  test('illustrative costs: 20 x 1 = 20; 20 x 2 = 40; 20 x 4 = 80; 30 x 1 = 30; 30 x 4 = 120', async () => {
    expectCharged(live.gateway, await call('eth_call', 'base-mainnet'), 20);
    expectCharged(live.gateway, await call('debug_traceCall', 'base-mainnet'), 40);
    expectCharged(live.gateway, await call('trace_replayTransaction', 'base-mainnet'), 80);
    expectCharged(live.gateway, await call('eth_call', 'zksync-mainnet'), 30);
    expectCharged(live.gateway, await call('trace_replayTransaction', 'zksync-mainnet'), 120);
  });

  test.each(['foo-mainnet', 'foo-testnet'])(
    'a further family has base credits 20 unless configured: %s',
    async (slug) => {
      expectCharged(live.gateway, await call('eth_call', slug), 20);
      expectCharged(live.gateway, await call('trace_block', slug), 40);
    },
  );

  test('a further family has the base credits that are configured', async () => {
    expectCharged(live.gateway, await call('eth_call', 'bar-mainnet'), 50);
    expectCharged(live.gateway, await call('txpool_content', 'bar-mainnet'), 200);
  });

  test('operators can add methods with a tier', async () => {
    expectCharged(live.gateway, await call('custom_read', 'ethereum-mainnet'), 40);
    expect(live.stub.request.items[0]?.method).toBe('custom_read');
  });
});

describe('rule 5: an item that returns a JSON-RPC error (HTTP still 200) is billed 5 credits instead of its tier cost', () => {
  test.each([
    ['Standard', 'eth_call', 'ethereum-mainnet'],
    ['Advanced', 'debug_traceCall', 'ethereum-mainnet'],
    ['Large', 'trace_replayTransaction', 'ethereum-mainnet'],
    ['a base of 30', 'getBalance', 'solana-mainnet'],
    ['a base of 30, Large', 'getSupply', 'solana-mainnet'],
    ['a base of 50', 'eth_call', 'bar-mainnet'],
  ])('%s', async (_what, method, network) => {
    live.stub.answer(errorOfEach());
    expectCharged(live.gateway, await call(method, network), 5);
  });

  test('a method unsupported on the chain is such an error', async () => {
    live.stub.answer(errorOfEach('{"code":-32601,"message":"the method zks_estimateFee does not exist"}'));
    expectCharged(live.gateway, await call('zks_estimateFee', 'ethereum-mainnet'), 5);
  });

  test('example: a batch of a 20-credit success and an error item is charged 25 credits in total', async () => {
    live.stub.answer(
      answerOfEach((_item, index) => (index === 0 ? '"result":"0x1"' : '"error":{"code":-32602,"message":"bad"}')),
    );
    const answer = await live.gateway.rpc(
      [
        { id: 1, method: 'eth_call' },
        { id: 2, method: 'eth_call' },
      ],
      { as: caller },
    );
    expectCharged(live.gateway, answer, 25);
    expect(answer.headers['x-service-rpc-cost-usd']).toBe('0.00001750');
  });

  test('a batch of errors only', async () => {
    live.stub.answer(errorOfEach());
    const answer = await live.gateway.rpc(
      Array.from({ length: 100 }, (_none, id) => ({ id, method: 'trace_block' })),
      { as: caller },
    );
    expectCharged(live.gateway, answer, 500);
  });

  test('a batch of all tiers, an error among each', async () => {
    live.stub.answer(
      answerOfEach((_item, index) => (index % 2 === 0 ? '"result":null' : '"error":{"code":1,"message":"no"}')),
    );
    const methods = ['eth_call', 'eth_call', 'trace_call', 'trace_call', 'txpool_content', 'txpool_content'];
    const answer = await live.gateway.rpc(
      methods.map((method, id) => ({ id, method })),
      { as: caller },
    );
    expectCharged(live.gateway, answer, 20 + 5 + 40 + 5 + 80 + 5);
  });
});

describe('what is charged is what the balance loses', () => {
  test('over a success, an error and a batch', async () => {
    const { operator } = live.gateway;
    const payer = await operator.createCaller({ usd: usdOf(1_000) });
    await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: payer });
    live.stub.answer(errorOfEach());
    await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: payer });
    await live.gateway.rpc(
      [
        { id: 1, method: 'eth_call' },
        { id: 2, method: 'eth_call' },
      ],
      { as: payer },
    );
    expect((await operator.balances()).get(payer.accountId)?.usd).toBe(usdOf(1_000 - 20 - 5 - 10));
    expect(await operator.checkLedger()).toMatchObject({ ok: true });
  });

  test('spending order: bundled credits, then USD', async () => {
    const { operator } = live.gateway;
    const payer = await operator.createCaller({ usd: usdOf(100), bundled: usdOf(30) });
    await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: payer });
    expect((await operator.balances()).get(payer.accountId)).toMatchObject({
      bundledCredits: usdOf(10),
      usd: usdOf(100),
    });
    const both = await live.gateway.rpc({ id: 1, method: 'eth_call' }, { as: payer });
    expect((await operator.balances()).get(payer.accountId)).toMatchObject({
      bundledCredits: usdOf(0),
      usd: usdOf(90),
    });
    expect(both.headers['x-service-rpc-credits']).toBe('20');
  });
});
