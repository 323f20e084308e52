import { describe, expect, it } from 'vitest';
import { allocationMeter, dailyAllocationUsd } from './allocation';

const TOLL = 10n ** 18n;

describe('the allocation of a stake', () => {
  it('is its share of the pool', () => {
    expect(dailyAllocationUsd({ staked: 25n * TOLL, total: 100n * TOLL, decimals: 18, dailyPoolUsd: 40 })).toBe(10);
    expect(dailyAllocationUsd({ staked: 7n * TOLL, total: 7n * TOLL, decimals: 18, dailyPoolUsd: 40 })).toBe(40);
  });

  it('is nothing under a tenth of a token, and nothing of an empty pool', () => {
    expect(dailyAllocationUsd({ staked: TOLL / 10n - 1n, total: TOLL, decimals: 18, dailyPoolUsd: 40 })).toBe(0);
    expect(dailyAllocationUsd({ staked: TOLL / 10n, total: TOLL, decimals: 18, dailyPoolUsd: 40 })).toBe(4);
    expect(dailyAllocationUsd({ staked: 0n, total: 0n, decimals: 18, dailyPoolUsd: 40 })).toBe(0);
  });
});

describe('the meter of the allocation', () => {
  it.each([
    ['nothing while the stake is unknown', [null, null, null], null],
    ['what the stake gives until the gateway has fixed it', [10, 0, 0], { today: 10, shown: 10, isLeft: false }],
    ['today’s allocation while the rest is unknown', [10, 12, null], { today: 12, shown: 12, isLeft: false }],
    ['the rest once it is known', [10, 12, 3], { today: 12, shown: 3, isLeft: true }],
    ['nothing left if all of it is spent', [10, 12, 0], { today: 12, shown: 0, isLeft: true }],
  ] as const)('shows %s', (_what, [stake, fixed, left], shown) =>
    expect(allocationMeter(stake, fixed, left)).toEqual(shown),
  );
});
