import { dailyAmount, type PoolShare } from '@/lib/protocol/allocation/daily-amount';

export { minimumStake } from '@/lib/protocol/allocation/daily-amount';

export interface AllocationOf extends PoolShare {
  /** Daily credits of all stakers together, USD. */
  dailyPoolUsd: number;
}

/**
 * Returns the daily credits of a stake in USD: its share of the pool, or 0 below the minimum. The result is a float,
 * for display.
 */
export function dailyAllocationUsd({ dailyPoolUsd, ...share }: AllocationOf): number {
  return dailyAmount(share, Math.round(dailyPoolUsd * 1e9)) / 1e9;
}
