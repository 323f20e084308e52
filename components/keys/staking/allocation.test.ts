import { describe, expect, it } from 'vitest';
import { dailyAllocationUsd } from './allocation';

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
