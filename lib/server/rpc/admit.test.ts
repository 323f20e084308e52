import { describe, expect, it } from 'vitest';
import { type ApiError, isApiError } from '@/lib/protocol/errors';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { findNetwork, type Network } from '@/lib/protocol/networks';
import { admitMethods, filterAnswer } from './admit';

const on = (slug: string) => findNetwork(slug) as Network;
const items = (...methods: string[]): RpcRequest[] =>
  methods.map((method) => ({ method, params: '[]', paramsByName: false, id: 'null' }));
const admit = (slug: string, ...methods: string[]) => admitMethods(items(...methods), on(slug), new Map());

function refusal(slug: string, ...methods: string[]): ApiError {
  try {
    admit(slug, ...methods);
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error('Admitted.');
}

describe('credits per call = base credits x tier multiplier (spec, RPC proxy rule 4)', () => {
  it.each([
    ['ethereum-mainnet', 'eth_call', 20],
    ['base-sepolia', 'trace_block', 40],
    ['arbitrum-mainnet', 'arbtrace_replayTransaction', 80],
    ['zksync-mainnet', 'eth_call', 30],
    ['solana-mainnet', 'getBalance', 30],
    ['solana-mainnet', 'getSupply', 120],
    ['starknet-mainnet', 'starknet_call', 20],
  ])('%s %s costs %i', (slug, method, credits) => {
    expect(admit(slug, method)).toMatchObject({ credits: [credits], maxCredits: credits });
  });

  it('a batch can cost the sum of its items', () => {
    expect(admit('ethereum-mainnet', 'eth_call', 'trace_block', 'eth_call')).toMatchObject({
      credits: [20, 40, 20],
      maxCredits: 80,
      sends: false,
    });
  });

  it('an item never holds less than its error costs', () => {
    const cheap = { ...on('ethereum-mainnet'), baseCredits: 1 };
    expect(admitMethods(items('eth_call', 'trace_replayTransaction'), cheap, new Map())).toMatchObject({
      credits: [1, 4],
      maxCredits: 10,
    });
  });

  it('a call that submits a transaction is known, also in the middle of a batch', () => {
    expect(admit('ethereum-mainnet', 'eth_call', 'eth_sendRawTransaction').sends).toBe(true);
    expect(admit('solana-mainnet', 'sendTransaction').sends).toBe(true);
    expect(admit('ethereum-mainnet', 'eth_call', 'eth_getLogs').sends).toBe(false);
  });
});

describe('a batch with any unsupported method is rejected as a whole (rule 1)', () => {
  it('and the message lists every offending method', () => {
    const error = refusal('ethereum-mainnet', 'eth_call', 'eth_subscribe', 'eth_newFilter', 'no_such', 'eth_sign');
    expect(error.code).toBe('UNSUPPORTED_METHOD');
    for (const name of ['eth_subscribe', 'eth_newFilter', 'no_such', 'eth_sign', 'eth_getLogs'])
      expect(error.message).toContain(name);
    expect(Object.keys(error.details ?? {}).sort()).toEqual(['1', '2', '3', '4', '_errors']);
    expect(error.details?.['2']).toMatchObject({
      _errors: [],
      method: { _errors: [expect.stringContaining('eth_getLogs')] },
    });
  });

  it('and a single one is named by the field alone', () => {
    expect(refusal('ethereum-mainnet', 'no_such').details).toMatchObject({
      method: { _errors: [expect.stringContaining('no_such')] },
    });
  });

  it.each(['__proto__', 'constructor', 'toString', 'ETH_CALL', ' eth_call', 'eth_call ', 'eth_call\n'])(
    '%j is not supported',
    (name) => {
      expect(refusal('ethereum-mainnet', name).code).toBe('UNSUPPORTED_METHOD');
    },
  );
});

describe('methods of another family of chains', () => {
  it.each([
    ['starknet-mainnet', 'eth_call'],
    ['ethereum-mainnet', 'starknet_call'],
    ['solana-mainnet', 'eth_call'],
    ['ethereum-mainnet', 'getBalance'],
  ])('%s does not take %s', (slug, method) => {
    const error = refusal(slug, method);
    expect(error.code).toBe('CROSS_FAMILY_METHOD');
    expect(error.message).toContain(method);
    expect(error.message).toContain(slug);
  });
});

describe('filter methods on networks that have none of EVM', () => {
  it.each(['solana-mainnet', 'starknet-mainnet'])(
    'are of another family there, as every method of EVM is: %s',
    (slug) => {
      for (const method of [
        'eth_newFilter',
        'eth_getFilterChanges',
        'eth_getFilterLogs',
        'eth_uninstallFilter',
        'eth_newBlockFilter',
        'eth_newPendingTransactionFilter',
        'eth_newFinalizedHeaderFilter',
      ]) {
        const error = refusal(slug, method);
        expect([error.code, error.message]).toEqual([
          'CROSS_FAMILY_METHOD',
          expect.stringContaining(
            `${slug}, a network of the ${slug.startsWith('solana') ? 'Solana' : 'Starknet'} family: ${method}. No network supports filters.`,
          ),
        ]);
        expect(error.details).toMatchObject({ method: { _errors: [`${method} belongs to the EVM family`] } });
      }
    },
  );

  it('in batches too, where only what another network takes is sent there', () => {
    const error = refusal('solana-mainnet', 'getSlot', 'eth_newFilter', 'eth_call');
    expect([error.code, error.message]).toEqual([
      'CROSS_FAMILY_METHOD',
      expect.stringMatching(
        /family: eth_newFilter, eth_call\. Send eth_call to a network of the EVM family\. No network supports filters\./,
      ),
    ]);
    expect(Object.keys(error.details ?? {}).sort()).toEqual(['1', '2', '_errors']);
  });

  it('beside what no network has are named with it (rule 1)', () => {
    const error = refusal('solana-mainnet', 'eth_newFilter', 'no_such');
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED_METHOD',
      'Methods not supported: eth_newFilter, no_such.',
    ]);
    expect(Object.keys(error.details ?? {}).sort()).toEqual(['0', '1', '_errors']);
  });

  it('are named beside methods of another family, which are named too (rules 1 and 2)', () => {
    const error = refusal('ethereum-mainnet', 'no_such', 'getSlot', 'eth_call', 'starknet_call');
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED_METHOD',
      'Method not supported: no_such. These methods are not available on ethereum-mainnet, a network of the EVM family: getSlot, starknet_call. Send them to a network of the Solana or Starknet family.',
    ]);
    expect(Object.keys(error.details ?? {}).sort()).toEqual(['0', '1', '3', '_errors']);
  });

  it.each([
    ['solana-mainnet', 'eth_subscribe', 'eth_getLogs'],
    ['starknet-mainnet', 'eth_sign', 'eth_sendRawTransaction'],
    ['ethereum-mainnet', 'slotSubscribe', 'getSlot'],
  ])('%s refuses %s without the advice to use %s, which it refuses too', (slug, method, advice) => {
    const { code, message } = refusal(slug, method);
    expect(code).toBe('UNSUPPORTED_METHOD');
    expect(message).toContain(method);
    expect(message).not.toContain(advice);
  });

  it('their answer of JSON-RPC is for EVM alone', () => {
    const alone = { batch: false, items: items('eth_newFilter') };
    expect(filterAnswer(alone, on('ethereum-mainnet'))).toContain('-32601');
    for (const slug of ['solana-mainnet', 'starknet-mainnet']) expect(filterAnswer(alone, on(slug))).toBeNull();
    expect(filterAnswer({ batch: true, items: items('eth_newFilter') }, on('ethereum-mainnet'))).toBeNull();
  });
});

describe('named parameters', () => {
  it('are for Starknet alone', () => {
    const named = items('starknet_call', 'starknet_call').map((item) => ({ ...item, paramsByName: true }));
    expect(admitMethods(named, on('starknet-mainnet'), new Map()).credits).toEqual([20, 20]);
    const wrong = [...items('eth_call'), { ...(items('eth_call')[0] as RpcRequest), paramsByName: true }];
    expect(() => admitMethods(wrong, on('ethereum-mainnet'), new Map())).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        details: {
          _errors: [],
          1: {
            _errors: [],
            params: { _errors: ['Must be an array if present; only Starknet methods accept an object'] },
          },
        },
      }),
    );
  });
});

it("the operator's own methods are admitted and priced, and sent once where they send", () => {
  const extra = new Map([
    ['my_send', { name: 'my_send', kind: 'evm', tier: 'large', sends: true, family: 'extra' } as const],
  ]);
  expect(admitMethods(items('my_send'), on('ethereum-mainnet'), extra)).toMatchObject({
    credits: [80],
    maxCredits: 80,
    sends: true,
  });
});
