import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerInWords } from './answer-items';

const HASH = `0x${'ab'.repeat(32)}`;

describe('the plain reading of an answer', () => {
  it.each([
    ['eth_blockNumber', '0x1438e5f', 'Block 21,204,575'],
    ['eth_chainId', '0x3e', '0x3e = 62'],
    ['eth_getBalance', '0x21e19e0c9bab2400000', '10,000 ETH'],
    ['eth_gasPrice', '0x3b9aca00', '1 gwei'],
    ['eth_getTransactionCount', '0x1', '1 transaction sent'],
    ['eth_estimateGas', '0x5208', '21,000 gas'],
    ['eth_getLogs', [{}, {}], '2 logs'],
    ['eth_getLogs', [], '0 logs'],
    ['eth_getCode', '0x', 'No contract at this address'],
    ['eth_getCode', '0x6000', 'A contract of 2 bytes'],
    ['eth_syncing', false, 'In sync'],
    ['eth_getBlockByHash', null, 'Not found'],
    ['eth_getTransactionReceipt', { status: '0x1', blockNumber: '0x10' }, 'Succeeded in block 16'],
    ['eth_getTransactionReceipt', { status: '0x0', blockNumber: '0x10' }, 'Failed in block 16'],
    ['getSlot', 254, 'Slot 254'],
    ['getBalance', { context: { slot: 1 }, value: 1_500_000_000 }, '1.5 ETH'],
  ])('of %s says what it means', (method, result, text) => {
    expect(answerInWords(method, result, 'ETH')).toBe(text);
  });

  it('of a block has its number, its transactions and its time', () => {
    const block = { number: '0x10', timestamp: '0x66000000', transactions: [HASH] };
    expect(answerInWords('eth_getBlockByNumber', block, 'ETH')).toMatch(/^Block 16 · 1 transaction · .*2024/);
  });

  it.each([
    ['eth_blockNumber', 'latest'],
    ['eth_blockNumber', '0x00'],
    ['eth_blockNumber', {}],
    ['eth_getBlockByNumber', { number: null }],
    ['eth_getTransactionReceipt', { blockNumber: '0x1' }],
    ['eth_getCode', '0x6'],
    ['eth_call', HASH],
    ['getBalance', { value: 1.5 }],
    ['getBalance', { value: 2 ** 60 }],
    ['getSlot', -1],
    ['toString', '0'],
    ['web3_clientVersion', 'Geth/v1.15'],
  ])('of %s with %j says nothing', (method, result) => {
    expect(answerInWords(method, result, 'ETH')).toBeNull();
  });

  it('never throws, whatever a node sends', () => {
    const methods = [
      'eth_blockNumber',
      'eth_getBlockByNumber',
      'eth_getTransactionReceipt',
      'eth_getCode',
      'getBalance',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...methods, '__proto__', 'constructor'), fc.jsonValue(), (method, result) => {
        const text = answerInWords(method, result, 'ETH');
        expect(text === null || text.length < 500).toBe(true);
      }),
    );
  });
});
