import { describe, expect, it } from 'vitest';
import type { ChainKind } from '@/lib/protocol/networks';
import type { BlockReference } from './block-reference';
import { blockReferenceOf } from './chain-references';

const HASH = `0x${'ab'.repeat(32)}`;

const readOf = (kind: ChainKind, method: string, params: unknown = []) =>
  blockReferenceOf(
    { method, params: typeof params === 'string' ? params : JSON.stringify(params), paramsByName: false, id: '1' },
    kind,
  );

function heightIn(kind: ChainKind, method: string, params: unknown, result: string): number | null | undefined {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
  const start = bytes.indexOf('"result":') + 9;
  return readOf(kind, method, params)?.heightIn(bytes, start, bytes.length - 1);
}

describe('a read of the head', () => {
  it.each<[ChainKind, string, unknown, string]>([
    ['evm', 'eth_blockNumber', [], 'head'],
    ['evm', 'eth_getBlockByNumber', ['latest', false], 'head'],
    ['evm', 'eth_getBlockByNumber', '[ "latest" , true ]', 'head'],
    ['evm', 'eth_getBlockReceipts', ['latest'], 'head'],
    ['evm', 'eth_getBlockByNumber', ['pending', false], 'nothing'],
    ['evm', 'eth_getTransactionReceipt', [HASH], 'block'],
    ['evm', 'eth_getBalance', ['0x1', 'latest'], 'nothing'],
    ['evm', 'eth_getBalance', ['0x1', 'pending'], 'nothing'],
    ['evm', 'eth_getBalance', ['0x1'], 'nothing'],
    ['evm', 'eth_getBalance', ['0x1', null], 'nothing'],
    ['evm', 'eth_getTransactionCount', ['0x1', 'pending'], 'nothing'],
    ['evm', 'eth_call', [{ to: '0x1' }], 'nothing'],
    ['evm', 'eth_getStorageAt', ['0x1', '0x0'], 'nothing'],
    ['evm', 'eth_getLogs', [{ fromBlock: '0x1' }], 'block'],
    ['evm', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }], 'block'],
    ['evm', 'eth_feeHistory', ['0x4', 'latest', []], 'nothing'],
    ['evm', 'debug_traceCall', [{}, 'latest'], 'nothing'],
    ['solana', 'getSlot', [], 'head'],
    ['solana', 'getBalance', ['a'], 'head'],
    ['solana', 'getBlockHeight', [], 'nothing'],
    ['starknet', 'starknet_blockNumber', [], 'head'],
    ['starknet', 'starknet_getBlockWithTxHashes', { block_id: 'latest' }, 'head'],
    ['starknet', 'starknet_getNonce', ['latest', '0x1'], 'nothing'],
    ['starknet', 'starknet_getNonce', ['pre_confirmed', '0x1'], 'nothing'],
  ])('%s: %s of %j tells %s', (kind, method, params, tells) =>
    expect([readOf(kind, method, params)?.tells, readOf(kind, method, params)?.at]).toEqual([
      tells,
      method === 'eth_getTransactionReceipt' ? 'transaction' : 'head',
    ]),
  );

  it.each<[ChainKind, string, unknown]>([
    ['evm', 'eth_chainId', []],
    ['evm', 'getSlot', []],
    ['solana', 'eth_blockNumber', []],
    ['starknet', 'starknet_chainId', []],
  ])('is not %s: %s of %j, which is about no place', (kind, method, params) =>
    expect(readOf(kind, method, params)).toBeNull(),
  );

  it('of Solana is about the commitment that it names', () => {
    const commitments = [{}, { commitment: 'finalized' }, { commitment: 'confirmed' }, { commitment: 'processed' }].map(
      (config) => readOf('solana', 'getBalance', ['a', config])?.commitment,
    );
    expect(commitments).toEqual([0, 0, 1, 2]);
    expect(readOf('solana', 'getSignatureStatuses', [['a']])?.commitment).toBe(2);
  });
});

describe('a call that names its block', () => {
  it.each<[ChainKind, string, unknown, Partial<BlockReference>]>([
    ['evm', 'eth_getBlockByNumber', ['0x10', false], { at: 'number', height: 16, tells: 'block' }],
    ['evm', 'eth_getBlockByNumber', ['earliest', false], { at: 'number', height: 0 }],
    ['evm', 'eth_getBlockReceipts', ['0x10'], { at: 'number', height: 16 }],
    ['evm', 'eth_getBlockReceipts', [HASH], { at: 'hash', id: HASH }],
    ['evm', 'eth_getBlockReceipts', [{ blockHash: HASH.toUpperCase().replace('0X', '0x') }], { at: 'hash', id: HASH }],
    ['evm', 'eth_getBlockByHash', [HASH, false], { at: 'hash', id: HASH, tells: 'block' }],
    ['evm', 'eth_getBalance', ['0x1', '0x10'], { at: 'number', height: 16, data: 'state', tells: 'nothing' }],
    ['evm', 'eth_call', [{ to: '0x1' }, { blockHash: HASH, requireCanonical: true }], { at: 'hash', id: HASH }],
    ['evm', 'eth_call', [{ to: '0x1' }, { blockNumber: '0x10' }], { at: 'number', height: 16 }],
    ['evm', 'eth_call', [{ to: '0x1', data: `0x${'00'.repeat(9_000)}` }, '0x10'], { at: 'number', height: 16 }],
    ['evm', 'eth_getStorageAt', ['0x1', '0x0', '0x10'], { at: 'number', height: 16 }],
    [
      'evm',
      'eth_callMany',
      [[{ transactions: [] }], { blockNumber: '0x10', transactionIndex: -1 }],
      { at: 'number', height: 16, data: 'state' },
    ],
    [
      'evm',
      'debug_traceCallMany',
      [[{ transactions: [] }], { blockNumber: HASH }],
      { at: 'hash', id: HASH, data: 'trace' },
    ],
    [
      'evm',
      'eth_callBundle',
      [{ txs: ['0x1'], blockNumber: '0x20', stateBlockNumber: '0x10' }],
      { at: 'number', height: 16 },
    ],
    [
      'evm',
      'eth_callBundle',
      [{ txs: ['0x1'], blockNumber: '0x20', stateBlockNumber: 'latest' }],
      { at: 'head', commitment: 0 },
    ],
    ['evm', 'eth_getBlockByNumber', ['finalized', false], { at: 'head', commitment: 2, tells: 'head' }],
    ['evm', 'eth_getBalance', ['0x1', 'safe'], { at: 'head', commitment: 1, tells: 'nothing' }],
    ['evm', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: 'finalized' }], { at: 'head', commitment: 2, isRange: true }],
    ['evm', 'eth_feeHistory', ['0x4', '0x10', []], { at: 'number', height: 16 }],
    ['evm', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x10' }], { at: 'number', height: 16, span: 16 }],
    ['evm', 'eth_getLogs', [{ blockHash: HASH }], { at: 'hash', id: HASH }],
    ['evm', 'trace_filter', [{ fromBlock: '0x1', toBlock: '0x10' }], { at: 'number', height: 16, data: 'trace' }],
    ['evm', 'debug_traceBlockByNumber', ['0x10', {}], { at: 'number', height: 16, data: 'trace' }],
    ['evm', 'debug_traceBlockByHash', [HASH, {}], { at: 'hash', id: HASH }],
    ['evm', 'debug_traceTransaction', [HASH, {}], { at: 'transaction', id: HASH }],
    ['evm', 'debug_traceCall', [{}, '0x10', {}], { at: 'number', height: 16 }],
    ['evm', 'trace_call', [{}, ['trace'], '0x10'], { at: 'number', height: 16 }],
    ['evm', 'trace_block', ['0x10'], { at: 'number', height: 16 }],
    ['evm', 'eth_getTransactionReceipt', [HASH], { at: 'transaction', id: HASH }],
    ['evm', 'eth_getUserOperationReceipt', [HASH], { at: 'transaction', id: HASH }],
    ['evm', 'zks_getBlockDetails', [16], { at: 'number', height: 16 }],
    ['solana', 'getBlock', [16, { commitment: 'confirmed' }], { at: 'number', height: 16, commitment: 1 }],
    [
      'solana',
      'getSignatureStatuses',
      [['5'.repeat(88), '6'.repeat(88)]],
      { at: 'head', id: '5'.repeat(88), moreIds: ['6'.repeat(88)] },
    ],
    ['solana', 'getBlocks', [5, 16], { at: 'number', height: 16, commitment: 0 }],
    [
      'solana',
      'getTransaction',
      ['5'.repeat(88), { commitment: 'confirmed' }],
      { at: 'transaction', id: '5'.repeat(88), commitment: 1 },
    ],
    [
      'solana',
      'getBalance',
      ['a', { commitment: 'confirmed', minContextSlot: 16 }],
      { at: 'head', height: 16, commitment: 1 },
    ],
    ['starknet', 'starknet_getNonce', [{ block_number: 16 }, '0x1'], { at: 'number', height: 16 }],
    ['starknet', 'starknet_call', { request: {}, block_id: { block_hash: '0x00Ab' } }, { at: 'hash', id: '0xab' }],
    [
      'starknet',
      'starknet_getEvents',
      [{ from_block: { block_number: 1 }, to_block: { block_number: 16 }, chunk_size: 10 }],
      { at: 'number', height: 16 },
    ],
    ['starknet', 'starknet_getTransactionReceipt', { transaction_hash: '0x0AB' }, { at: 'transaction', id: '0xab' }],
  ])('%s: %s of %j', (kind, method, params, reference) =>
    expect(readOf(kind, method, params)).toMatchObject(reference),
  );
});

describe('the height that an answer tells', () => {
  it.each<[string, ChainKind, string, unknown, string, number | null]>([
    ['is the result', 'evm', 'eth_blockNumber', [], '"0x10"', 16],
    [
      'is a block’s number',
      'evm',
      'eth_getBlockByNumber',
      ['latest', false],
      `{"hash":"${HASH}","number" : "0x10","transactions":[{"blockNumber":"0xf"}]}`,
      16,
    ],
    [
      'is not what a text quotes',
      'evm',
      'eth_getBlockByNumber',
      ['latest', false],
      '{"extraData":"\\"number\\":\\"0xffff\\"","number":"0x10"}',
      16,
    ],
    [
      'is that of receipts',
      'evm',
      'eth_getBlockReceipts',
      ['latest'],
      '[{"blockHash":"0x1","blockNumber":"0x10"}]',
      16,
    ],
    ['is not in an empty block’s receipts', 'evm', 'eth_getBlockReceipts', ['latest'], '[]', null],
    ['is not in null', 'evm', 'eth_getBlockByNumber', ['latest', false], 'null', null],
    [
      'is not in a block whose number is null',
      'evm',
      'eth_getBlockByNumber',
      ['latest', false],
      '{"number":null,"parent":{"number":"0x1"}}',
      null,
    ],
    ['is not in garbage', 'evm', 'eth_blockNumber', [], '"latest"', null],
    ['is not negative', 'evm', 'eth_blockNumber', [], '-5', null],
    ['is not 2^60', 'evm', 'eth_blockNumber', [], '"0x1000000000000000"', null],
    ['is not 2^256 - 1', 'evm', 'eth_blockNumber', [], `"0x${'f'.repeat(64)}"`, null],
    ['is not an object', 'evm', 'eth_blockNumber', [], '{"number":"0x10"}', null],
    ['is not a long text', 'evm', 'eth_blockNumber', [], `"0x${'0'.repeat(5_000)}1"`, null],
    ['is a slot', 'solana', 'getSlot', [], '381000123', 381_000_123],
    [
      'is the slot of a context',
      'solana',
      'getBalance',
      ['a'],
      '{"context":{"apiVersion":"2.0.1","slot":381000123},"value":{"slot":1}}',
      381_000_123,
    ],
    ['is no slot outside of the context', 'solana', 'getBalance', ['a'], '{"value":{"slot":1}}', null],
    ['is no broken slot', 'solana', 'getBalance', ['a'], '{"context":{"slot":1e5},"value":1}', null],
    ['is the absolute slot of an epoch', 'solana', 'getEpochInfo', [], '{"absoluteSlot":7,"blockHeight":5}', 7],
    ['is a number of Starknet', 'starknet', 'starknet_blockNumber', [], '12', 12],
    [
      'is that of a block of Starknet',
      'starknet',
      'starknet_blockHashAndNumber',
      [],
      '{"block_hash":"0x1","block_number":12}',
      12,
    ],
  ])('%s', (_what, kind, method, params, result, height) =>
    expect(heightIn(kind, method, params, result)).toBe(height),
  );

  it('is found in a long block as quickly as in a short one, and given up where it would stand far behind', () => {
    const filler = 'ab'.repeat(5_000_000);
    expect(heightIn('evm', 'eth_getBlockByNumber', ['latest', true], `{"number":"0x10","input":"0x${filler}"}`)).toBe(
      16,
    );
    expect(
      heightIn('evm', 'eth_getBlockByNumber', ['latest', true], `{"input":"0x${filler}","number":"0x10"}`),
    ).toBeNull();
  });
});
