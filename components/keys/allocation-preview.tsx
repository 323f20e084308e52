'use client';

import { formatBalance } from '@/lib/browser/amounts';
import { dailyAllocationUsd, minimumStake } from '@/lib/browser/staking/allocation';
import { useAllocation } from '@/lib/browser/staking/use-allocation';
import type { PoolState } from '@/lib/browser/staking/pool-state';
import { stakingWords as words } from '@/lib/browser/words/staking';

interface AllocationPreviewProps {
  state: PoolState;
  /** Amount in base units; negative for unstaking. */
  amount: bigint;
  dailyPoolUsd: number;
  wallet: string;
}

/** Shows the daily credits of the current stake, and of the stake after adding the typed amount. */
export function AllocationPreview({ state, amount, dailyPoolUsd, wallet }: AllocationPreviewProps) {
  const { staked, total, decimals } = state;
  const now = dailyAllocationUsd({ staked, total, decimals, dailyPoolUsd });
  const fixed = useAllocation(wallet, staked >= minimumStake(decimals));
  // Prefers today's allocation from the gateway, as other pages do.
  const today = fixed ? fixed : now;
  const then = dailyAllocationUsd({ staked: staked + amount, total: total + amount, decimals, dailyPoolUsd });
  return (
    <div className="grid gap-1 rounded-md border border-line bg-surface px-3 py-2 text-sm">
      <dl className="grid grid-cols-2 gap-x-4">
        <div>
          <dt className="text-xs text-faint">{words.allocationNow}</dt>
          <dd className="figures">{formatBalance(today)}</dd>
        </div>
        <div>
          <dt className="text-xs text-faint">{amount < 0n ? words.afterUnstaking : words.afterStaking}</dt>
          <dd className="figures">{amount === 0n ? '–' : formatBalance(then)}</dd>
        </div>
      </dl>
      <p className="text-xs text-dim">
        {staked + amount < minimumStake(decimals) && (amount !== 0n || staked > 0n) ? words.underMinimum : ''}
        {formatBalance(today) === formatBalance(now) ? '' : words.fromTomorrow(formatBalance(now))}
        {words.poolNote(formatBalance(dailyPoolUsd))}
      </p>
    </div>
  );
}
