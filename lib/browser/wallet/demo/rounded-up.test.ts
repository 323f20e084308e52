import { formatEther } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { roundedUp } from './describe-transaction';

describe('a fee at most', () => {
  it.each([
    [56_858_119_761_476n, '0.0000568582'],
    [56_858_100_000_000n, '0.0000568581'],
    [999_999_000_000_001n, '0.001'],
    [21_000n, '0.000000000000021'],
    [0n, '0'],
  ])('of %s wei is written as %s', (feeWei, written) => {
    expect(formatEther(roundedUp(feeWei))).toBe(written);
  });
});
