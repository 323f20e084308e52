import { describe, expect, it } from 'vitest';
import { findNetwork, type Network } from '@/lib/protocol/networks';
import { keepingMs, mayBeImmutable } from './immutable-answers';

const HASH = `0x${'Ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;
const FINAL = 100;
/** Returns the height of `HASH`; no other hash is known. */
const heightOfBlock = (hash: string): number | null => (hash === HASH.toLowerCase() ? 0x64 : null);
const on = (slug: string) => ({
  network: findNetwork(slug) as Network,
  finalizedHeight: FINAL as number | null,
  heightOfBlock,
});
const ethereum = on('ethereum-mainnet');

const keeping = (method: string, params: unknown[], result: unknown, finality = ethereum) =>
  keepingMs(
    { method, params: JSON.stringify(params), paramsByName: false, id: '1' },
    Buffer.from(JSON.stringify(result)),
    finality,
  );

const inBlock = (number: string) => ({
  hash: HASH.toLowerCase(),
  transactionHash: HASH,
  blockHash: OTHER,
  blockNumber: number,
  number,
});

describe('kept for ever', () => {
  it.each([
    ['eth_chainId', [], '0x1'],
    ['net_version', [], '1'],
    ['web3_sha3', ['0x68656c6c6f'], '0x1c8a'],
    ['eth_getBlockByHash', [HASH, false], inBlock('0x64')],
    ['eth_getHeaderByHash', [HASH], inBlock('0x64')],
    ['eth_getBlockTransactionCountByHash', [HASH], '0x5'],
    ['eth_getTransactionByHash', [HASH], inBlock('0x64')],
    ['eth_getTransactionReceipt', [HASH], inBlock('0x64')],
    ['eth_getBlockByNumber', ['0x64', true], inBlock('0x64')],
    ['eth_getBlockByNumber', ['earliest', true], inBlock('0x0')],
    ['eth_getBlockReceipts', ['0x64'], [{}]],
    ['eth_getBlockReceipts', [HASH], [{}]],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x64' }], [{}]],
    ['eth_getLogs', [{ blockHash: HASH }], [{}]],
    ['eth_getLogs', [{ blockHash: OTHER }], [inBlock('0x64')]],
    ['eth_getBlockReceipts', [OTHER], [inBlock('0x64')]],
    ['eth_call', [{}, '0x64'], '0x01'],
    ['eth_call', [{}, { blockHash: HASH, requireCanonical: true }], '0x01'],
    ['eth_call', [{}, { blockNumber: '0x64' }], '0x01'],
    ['eth_getBalance', ['0x1', '0x10'], '0x1'],
    ['eth_getCode', ['0x1', '0x10'], '0x60'],
    ['eth_getTransactionCount', ['0x1', '0x10'], '0x1'],
    ['eth_getStorageAt', ['0x1', '0x0', '0x10'], '0x1'],
  ])('%s %j', (method, params, result) => {
    expect(keeping(method, params, result)).toBe(Infinity);
    expect(mayBeImmutable({ method, params: JSON.stringify(params), paramsByName: false, id: '1' })).toBe(true);
  });

  it('on Solana what is finalized, which is the default', () => {
    const solana = on('solana-mainnet');
    expect(keeping('getBlock', [5], { blockhash: 'x' }, solana)).toBe(Infinity);
    expect(keeping('getTransaction', ['sig', { commitment: 'finalized' }], { slot: 5 }, solana)).toBe(Infinity);
  });
});

describe('not kept', () => {
  it.each([
    ['above what is final', 'eth_getBlockByNumber', ['0x65', false], inBlock('0x65')],
    ['above what is final', 'eth_getTransactionReceipt', [HASH], inBlock('0x65')],
    ['above what is final', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x65' }], [{}]],
    ['above what is final', 'eth_call', [{}, '0x65'], '0x01'],
    ['by a hash above what is final', 'eth_getBlockByHash', [HASH, false], inBlock('0x65')],
    ['by a hash above what is final', 'eth_getLogs', [{ blockHash: OTHER }], [inBlock('0x65')]],
    ['by a hash of which it is not known whether it is final', 'eth_getBlockTransactionCountByHash', [OTHER], '0x5'],
    [
      'by a hash of which it is not known whether it is final',
      'eth_call',
      [{}, { blockHash: OTHER, requireCanonical: true }],
      '0x01',
    ],
    [
      'before the batch of its block is sealed',
      'eth_getBlockByHash',
      [HASH, false],
      { ...inBlock('0x64'), l1BatchNumber: null },
    ],
    [
      'before the batch of its block is sealed',
      'eth_getTransactionReceipt',
      [HASH],
      { ...inBlock('0x64'), l1BatchNumber: null },
    ],
    ['at a tag that moves', 'eth_getBlockByNumber', ['latest', false], inBlock('0x10')],
    ['at a tag that moves', 'eth_getBlockByNumber', ['finalized', false], inBlock('0x10')],
    ['at a tag that moves', 'eth_getBlockByNumber', ['safe', false], inBlock('0x10')],
    ['without a block', 'eth_call', [{}], '0x01'],
    ['without a block', 'eth_getLogs', [{}], [{}]],
    ['from a block to the latest', 'eth_getLogs', [{ fromBlock: '0x1' }], [{}]],
    ['of another block than was asked for', 'eth_getBlockByNumber', ['0x10', false], inBlock('0x11')],
    ['of another transaction than was asked for', 'eth_getTransactionReceipt', [OTHER], inBlock('0x10')],
    [
      'of a transaction that is pending',
      'eth_getTransactionByHash',
      [HASH],
      { ...inBlock('0x10'), blockHash: null, blockNumber: null },
    ],
    ['by what is no hash', 'eth_getBlockTransactionCountByHash', ['0x10'], '0x5'],
    ['by an invalid number', 'eth_getBlockTransactionCountByNumber', [16], '0x5'],
    ['of a method that is about now', 'eth_blockNumber', [], '0x10'],
    ['of a method that is about now', 'eth_gasPrice', [], '0x10'],
  ])('%s: %s %j', (_why, method, params, result) => {
    expect(keeping(method, params, result)).toBe(0);
  });

  it.each([null, [], {}, '', '0x', '0x0'])('where it is empty: %j', (result) => {
    expect(keeping('eth_call', [{}, '0x10'], result)).toBe(0);
    expect(keeping('eth_getBlockTransactionCountByHash', [HASH], result)).toBe(0);
  });

  it('while it is not known what is final', () => {
    expect(keeping('eth_getTransactionReceipt', [HASH], inBlock('0x1'), { ...ethereum, finalizedHeight: null })).toBe(
      0,
    );
  });

  it('where params are long, or no JSON array', () => {
    expect(keeping('web3_sha3', [`0x${'00'.repeat(3_000)}`], '0x1')).toBe(0);
    expect(
      keepingMs({ method: 'eth_call', params: '{"a":1}', paramsByName: true, id: '1' }, Buffer.from('"0x1"'), ethereum),
    ).toBe(0);
  });

  it('on Solana what is only confirmed', () => {
    expect(keeping('getTransaction', ['sig', { commitment: 'confirmed' }], { slot: 5 }, on('solana-mainnet'))).toBe(0);
  });

  it('where it is the id of another chain', () => {
    expect(keeping('eth_chainId', [], '0x2')).toBe(0);
    expect(keeping('net_version', [], '2')).toBe(0);
  });
});

it('versions are kept for a minute, and so are ids of chains whose id is not known', () => {
  expect(keeping('web3_clientVersion', [], 'Geth')).toBe(60_000);
  expect(keeping('starknet_chainId', [], '0x534e', on('starknet-mainnet'))).toBe(60_000);
  expect(keeping('getGenesisHash', [], '5eyk', on('solana-mainnet'))).toBe(60_000);
});
