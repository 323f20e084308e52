import { describe, expect, it } from 'vitest';
import { summarizeQuantity } from './summarize-quantity';

const hex = (value: bigint) => `0x${value.toString(16)}`;
const ETHER = 10n ** 18n;
const at = (name: string | null, method: string | undefined, symbol: string | undefined = 'ETH') => ({
  name,
  method,
  symbol,
});

describe('a quantity of an answer', () => {
  it.each([
    [
      'the balance of an account',
      10_000n * ETHER,
      at('result', 'eth_getBalance'),
      '10,000 ETH',
      '10,000,000,000,000,000,000,000',
    ],
    ['one wei', 1n, at('result', 'eth_getBalance'), '0.000000000000000001 ETH', '1'],
    [
      'more digits than a float has',
      123_456_789n * ETHER + 1n,
      at('value', 'eth_getTransactionByHash'),
      '123,456,789.000000000000000001 ETH',
      '123,456,789,000,000,000,000,000,001',
    ],
    ['another currency', ETHER / 2n, at('result', 'eth_getBalance', 'POL'), '0.5 POL', '500,000,000,000,000,000'],
    ['the balance in a proof', ETHER, at('balance', 'eth_getProof'), '1 ETH', '1,000,000,000,000,000,000'],
    ['a price of gas', 1_500_000_000n, at('result', 'eth_gasPrice'), '1.5 gwei', '1,500,000,000'],
    ['a base fee', 7n, at('baseFeePerGas', 'eth_getBlockByNumber'), '0.000000007 gwei', '7'],
  ])('in wei is shown with its unit, exact: %s', (_what, value, place, text, wei) =>
    expect(summarizeQuantity(hex(value), place)).toEqual({ text, wei }),
  );

  it.each([
    ['a result that is a count', at('result', 'eth_blockNumber')],
    ['a timestamp', at('timestamp', 'eth_getBlockByNumber')],
    ['a difficulty', at('totalDifficulty', 'eth_getBlockByNumber')],
    ['what a withdrawal has in gwei', at('amount', 'eth_getBlockByNumber')],
    ['the value of a storage slot', at('value', 'eth_getProof')],
    ['a value on Starknet', at('value', 'starknet_getStateUpdate', 'STRK')],
    ['a result whose method is not known', at('result', undefined)],
    ['a value of a document that is no answer of a chain', { name: 'value', method: 'eth_call', symbol: undefined }],
    ['a value without a name', at(null, 'eth_getBalance')],
    ['a name that every object has', at('constructor', 'eth_getBlockByNumber')],
  ])('otherwise stays the number: %s', (_what, place) =>
    expect(summarizeQuantity(hex(ETHER), place)).toEqual({ text: '1,000,000,000,000,000,000', wei: null }),
  );

  it.each(['0x', '0x01', `0x${'a'.repeat(64)}`, 'latest'])('returns null for %j', (text) =>
    expect(summarizeQuantity(text, at('result', 'eth_getBalance'))).toBeNull(),
  );
});
