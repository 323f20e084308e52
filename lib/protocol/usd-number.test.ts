import { describe, expect, it } from 'vitest';
import { nanoUsdOfNumber } from './parse-usd';

describe('an amount in USD that comes as a JSON number', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [1, 1_000_000_000],
    [0.1, 100_000_000],
    [0.3, 300_000_000],
    [1.005, 1_005_000_000],
    [12.34, 12_340_000_000],
    [1e-7, 100],
    [1.5e-8, 15],
    [1e-9, 1],
    [0.000000123, 123],
    [999_999.999999999, 999_999_999_999_999],
    [9_007_199, 9_007_199_000_000_000],
  ])('%d USD is exactly %d billionths', (usd, nano) => {
    expect(nanoUsdOfNumber(usd)).toBe(nano);
  });

  it.each([-1, -1e-9, NaN, -Infinity])('%d is refused: amounts are from 0', (usd) => {
    expect(() => nanoUsdOfNumber(usd)).toThrow(RangeError);
  });

  it.each([1e-10, 1.0000000001, 0.1 + 0.2, 5e-324])(
    '%d is refused: it has more than 9 decimals, and rounding would change it',
    (usd) => {
      expect(() => nanoUsdOfNumber(usd)).toThrow(/9 decimals/);
    },
  );

  it.each([9_007_199.254740993, 1e7, 1e15, 1e21, 1.7e308, Infinity])(
    '%d is refused: it is beyond what is kept exactly',
    (usd) => {
      expect(() => nanoUsdOfNumber(usd)).toThrow(RangeError);
    },
  );
});
