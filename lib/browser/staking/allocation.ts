import { dailyAmount, type PoolShare } from '@/lib/protocol/allocation/daily-amount';

export { minimumStake } from '@/lib/protocol/allocation/daily-amount';

export interface AllocationOf extends PoolShare {
  /** What all stakers together may spend in a day. */
  dailyPoolUsd: number;
}

/** What a wallet with this stake may spend in a day, in USD: its share of the pool, or nothing under the minimum. For showing: a float. */
export function dailyAllocationUsd({ dailyPoolUsd, ...share }: AllocationOf): number {
  return dailyAmount(share, Math.round(dailyPoolUsd * 1e9)) / 1e9;
}
