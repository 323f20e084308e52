/**
 * @not next: methods are looked up in parsed bodies. bad-bodies.test.ts checks bodies through Next.
 * @not postgres: these refusals come before any access to the database.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCharged } from './harness/credits';
import { expectErrorTree } from './harness/every-answer';
import type { Answer } from './harness/http-exchange';
import { type LiveGateway, startLiveGateway } from './harness/live-gateway';
import type { Caller } from './harness/operator';
import { errorOfEach } from './harness/stub-upstream';

/** spec, POST /crypto/rpc/{network}, rules 1 and 3, and "Errors": methods that are not forwarded. */

let live: LiveGateway;
let caller: Caller;

beforeAll(async () => {
  live = await startLiveGateway({ rpc: { extraMethods: [{ name: 'custom_read', kind: 'evm', tier: 'standard' }] } });
  caller = await live.gateway.operator.createCaller();
});
afterAll(() => live?.stop());
beforeEach(() => live.stub.reset());

const call = (body: unknown, network = 'ethereum-mainnet') => live.gateway.rpc(body, { as: caller, network });

interface DetailedError {
  error: string;
  details: { _errors: string[] };
}

/** Expects 400 with a DetailedError, no charge and no upstream call. */
function expectRefused(answer: Answer, chargesBefore: number): DetailedError {
  expect(answer.status, answer.text).toBe(400);
  const body = answer.json as DetailedError;
  expectErrorTree(body.details);
  expect(live.stub.requests).toHaveLength(0);
  expect(live.gateway.books.count()).toBe(chargesBefore);
  return body;
}

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'WebSocket-only methods (eth)': ['eth_subscribe', 'eth_unsubscribe'],
  'WebSocket-only methods (Solana *Subscribe)': [
    'accountSubscribe',
    'blockSubscribe',
    'logsSubscribe',
    'programSubscribe',
    'rootSubscribe',
    'signatureSubscribe',
    'slotSubscribe',
    'voteSubscribe',
  ],
  'WebSocket-only methods (Solana *Unsubscribe)': [
    'accountUnsubscribe',
    'blockUnsubscribe',
    'logsUnsubscribe',
    'programUnsubscribe',
    'rootUnsubscribe',
    'signatureUnsubscribe',
    'slotUnsubscribe',
    'voteUnsubscribe',
  ],
  'key-holding and miner methods': [
    'eth_sign',
    'eth_accounts',
    'eth_mining',
    'eth_hashrate',
    'eth_getWork',
    'eth_submitWork',
  ],
  'methods that administer a node': [
    'debug_setHead',
    'admin_peers',
    'personal_unlockAccount',
    'miner_start',
    'anvil_setBalance',
    'evm_mine',
    'hardhat_reset',
  ],
  'methods not explicitly allowlisted': ['foo_bar', 'eth_unknown', 'eth', 'unknown'],
  'no prefix admits': [
    'zks_',
    'zks_unknown',
    'linea_unknown',
    'bor_unknown',
    'starknet_unknown',
    'trace_unknown',
    'debug_unknown',
    'arbtrace_replayUnknown',
    'eth_callX',
  ],
  'names that are not quite one of the list': [
    'ETH_CALL',
    'eth_Call',
    ' eth_call',
    'eth_call ',
    'eth_call\u0000',
    'eth-call',
  ],
  'names that every object has': ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
};

const FILTERS = [
  'eth_newFilter',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_uninstallFilter',
  'eth_newBlockFilter',
  'eth_newPendingTransactionFilter',
];

describe('rule 3: not supported', () => {
  const cases = Object.entries(REFUSED).flatMap(([what, methods]) => methods.map((method) => [what, method] as const));
  test.each(cases)('%s: %j', async (_what, method) => {
    const network = method.endsWith('ubscribe') && !method.startsWith('eth') ? 'solana-mainnet' : 'ethereum-mainnet';
    const before = live.gateway.books.count();
    const { error } = expectRefused(await call({ id: 1, method }, network), before);
    expect(error).toContain(method.replace('\u0000', '').trim());
  });

  test.each(FILTERS)(
    '%s alone is an error of JSON-RPC, free, that names eth_getLogs; in a batch the whole batch is refused',
    async (method) => {
      const before = live.gateway.books.count();
      const { status, json, headers } = await call({ id: '7', method });
      expect([status, json]).toEqual([
        200,
        { jsonrpc: '2.0', id: '7', error: { code: -32601, message: expect.stringMatching(`${method}.*eth_getLogs`) } },
      ]);
      expect([headers['x-service-rpc-credits'], headers['x-service-rpc-cost-usd'], live.gateway.books.count()]).toEqual(
        ['0', '0.00000000', before],
      );
      expectRefused(
        await call([
          { id: 1, method },
          { id: 2, method: 'eth_chainId' },
        ]),
        before,
      );
    },
  );

  test.each(['solana-mainnet', 'starknet-mainnet'])(
    'filter methods are of another family on %s, alone and in a batch, where nobody is sent to eth_getLogs of that network',
    async (network) => {
      const before = live.gateway.books.count();
      for (const method of FILTERS) {
        for (const body of [{ id: 1, method }, [{ id: 1, method }]]) {
          const answer = await call(body, network);
          expect(answer.json).toMatchObject({ code: 'CROSS_FAMILY_METHOD' });
          expect(expectRefused(answer, before).error).toMatch(
            new RegExp(`not available on ${network}.*: ${method}\\. No network supports filters`),
          );
        }
      }
    },
  );

  test('the refusal of a single request stands in details under its method', async () => {
    expect((await call({ id: 1, method: 'eth_sign' })).json).toMatchObject({
      details: { method: { _errors: [expect.stringContaining('eth_sign')] } },
    });
  });

  test('a method name reaches the message as one readable line, whatever it holds', async () => {
    const { error } = expectRefused(
      await call({ id: 1, method: 'evil\n\u001b[31m\u202ename' }),
      live.gateway.books.count(),
    );
    expect(error).not.toMatch(/[\n\u001b\u202e]/);
  });
});

describe('rule 1: if any item uses an unsupported method, the whole batch is rejected with 400 and the message lists every offending method name', () => {
  const good = { id: 0, method: 'eth_chainId' };

  test('one offender among good items', async () => {
    const before = live.gateway.books.count();
    const { error } = expectRefused(await call([good, { id: 1, method: 'eth_newFilter' }, good]), before);
    expect(error).toContain('eth_newFilter');
    expect(error).not.toContain('eth_chainId');
  });

  test('offenders of every class are all named', async () => {
    const offenders = [
      'eth_subscribe',
      'logsSubscribe',
      'eth_newFilter',
      'eth_getFilterLogs',
      'eth_accounts',
      'eth_submitWork',
      'foo_bar',
      'debug_setHead',
    ];
    const before = live.gateway.books.count();
    const { error } = expectRefused(await call([good, ...offenders.map((method, id) => ({ id, method }))]), before);
    for (const method of offenders) expect(error).toContain(method);
  });

  test('100 different offenders are all named', async () => {
    const offenders = Array.from({ length: 100 }, (_none, index) => `unknown_method${String(index).padStart(3, '0')}x`);
    const before = live.gateway.books.count();
    const { error } = expectRefused(await call(offenders.map((method, id) => ({ id, method }))), before);
    for (const method of offenders) expect(error).toContain(method);
  });

  test('each batch item is validated on its own: details has one sub-object per invalid item', async () => {
    const { details } = (await call([good, { id: 1, method: 'eth_sign' }, good, { id: 3, method: 'foo_bar' }]))
      .json as DetailedError;
    expect(details).toMatchObject({
      1: { method: { _errors: [expect.stringContaining('eth_sign')] } },
      3: { method: { _errors: [expect.stringContaining('foo_bar')] } },
    });
    expect(Object.keys(details).sort()).toEqual(['1', '3', '_errors']);
  });
});

describe('EVM, Solana and Starknet calls sent to another of these three are 400 (cross-family)', () => {
  test.each([
    ['EVM', 'eth_getBalance', 'Starknet', 'starknet-mainnet'],
    ['EVM', 'eth_getBalance', 'Solana', 'solana-mainnet'],
    ['Solana', 'getBalance', 'EVM', 'ethereum-mainnet'],
    ['Solana', 'getBalance', 'Starknet', 'starknet-sepolia'],
    ['Starknet', 'starknet_call', 'EVM', 'polygon-amoy'],
    ['Starknet', 'starknet_call', 'Solana', 'solana-devnet'],
    ['an operator’s EVM method', 'custom_read', 'Solana', 'solana-devnet'],
  ])('%s (%s) to %s (%s)', async (_from, method, _to, network) => {
    const before = live.gateway.books.count();
    const { error } = expectRefused(await call({ id: 1, method }, network), before);
    expect(error).toContain(method);
    expect(error).toContain(network);
  });

  test('one foreign item refuses the batch, and every foreign method is named', async () => {
    const before = live.gateway.books.count();
    const { error } = expectRefused(
      await call(
        [
          { id: 1, method: 'getSlot' },
          { id: 2, method: 'eth_call' },
          { id: 3, method: 'starknet_call' },
        ],
        'solana-mainnet',
      ),
      before,
    );
    expect(error).toContain('eth_call');
    expect(error).toContain('starknet_call');
    expect(error).not.toContain('getSlot');
  });

  test('a namespace of another EVM chain is forwarded, and its error costs 5', async () => {
    for (const method of ['zks_L1ChainId', 'linea_estimateGas', 'bor_getAuthor', 'arbtrace_call']) {
      live.stub.reset();
      live.stub.answer(errorOfEach('{"code":-32601,"message":"not here"}'));
      expectCharged(live.gateway, await call({ id: 1, method }), 5);
      expect(live.stub.request.items[0]?.method).toBe(method);
    }
  });
});

describe('unsupported network', () => {
  test.each([
    'dogecoin-mainnet',
    'ethereum',
    'mainnet',
    'ethereum-goerli',
    'Ethereum-Mainnet',
    'ethereum_mainnet',
    'sandbox-testnet',
    'starknet-goerli',
    'foo-mainnet',
  ])('%s is 400 with a DetailedError that names it', async (network) => {
    const before = live.gateway.books.count();
    const { error, details } = expectRefused(await call({ id: 1, method: 'eth_chainId' }, network), before);
    expect(error).toContain(network);
    expect(details).toMatchObject({ network: { _errors: [expect.stringContaining(network)] } });
  });
});
