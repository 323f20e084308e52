import { expect, it } from 'vitest';
import { nanoUsdOf, unitsOf } from './token-amount';

it('turns base units into nano-USD exactly', () => {
  expect(nanoUsdOf(5_000_000n, 6)).toBe(5_000_000_000);
  expect(nanoUsdOf(12_500_001n, 6)).toBe(12_500_001_000);
  expect(nanoUsdOf(1n, 9)).toBe(1);
});

it('refuses what no balance can hold', () => {
  expect(() => nanoUsdOf(10n ** 20n, 6)).toThrow(RangeError);
});

it('asks for no less than an amount is worth', () => {
  expect(unitsOf(5_000_000_000, 6)).toBe(5_000_000n);
  expect(unitsOf(5_000_000_001, 6)).toBe(5_000_001n);
});
