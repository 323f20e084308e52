import { describe, expect, it } from 'vitest';
import { headRequest, heightOf, commitmentOf } from './head-height';

describe('a height', () => {
  it.each([
    ['0x0', 0],
    ['0x2A', 42],
    ['0x000000000000000000000000002a', 42],
    [42, 42],
    [2 ** 53 - 1, 2 ** 53 - 1],
  ])('is read from %j', (value, height) => expect(heightOf(value)).toBe(height));

  it.each([
    [null],
    [undefined],
    [''],
    ['0x'],
    ['42'],
    ['0xzz'],
    ['-0x1'],
    [' 0x1'],
    [-1],
    [1.5],
    [NaN],
    [Infinity],
    [true],
    [[]],
    [['0x1']],
    [{ height: 1 }],
    [2 ** 60],
    [`0x${'f'.repeat(16)}`],
    [`0x${'f'.repeat(64)}`],
    [`0x${'0'.repeat(65)}1`],
  ])('is not %j', (value) => expect(heightOf(value)).toBeNull());
});

it('of Solana is asked for by commitment, and meant by the one that is named, or finalized', () => {
  expect([0, 1, 2].map((commitment) => headRequest('solana', commitment as 0).params)).toEqual(
    ['finalized', 'confirmed', 'processed'].map((commitment) => `[{"commitment":"${commitment}"}]`),
  );
  expect(
    [
      '["a"]',
      '["a",{"commitment":"finalized"}]',
      '["a",{"commitment":"confirmed"}]',
      '[{"commitment": "processed"}]',
    ].map(commitmentOf),
  ).toEqual([0, 0, 1, 2]);
});
