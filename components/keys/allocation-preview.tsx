'use client';

import { formatCost } from '@/lib/browser/amounts';
import { dailyAllocationUsd, minimumStake } from '@/lib/browser/staking/allocation';
import type { PoolState } from '@/lib/browser/staking/pool-state';
import { stakingWords as words } from '@/lib/browser/words/staking';

interface AllocationPreviewProps {
  state: PoolState;
  /** What is about to be staked (or, below zero, unstaked), in base units. */
  amount: bigint;
  dailyPoolUsd: number;
}

/** What the stake gives a day now, and what it would with the typed amount. */
export function AllocationPreview({ state, amount, dailyPoolUsd }: AllocationPreviewProps) {
  const { staked, total, decimals } = state;
  const now = dailyAllocationUsd({ staked, total, decimals, dailyPoolUsd });
  const then = dailyAllocationUsd({ staked: staked + amount, total: total + amount, decimals, dailyPoolUsd });
  return (
    <div className="grid gap-1 rounded-md border border-line bg-surface px-3 py-2 text-sm">
      <dl className="grid grid-cols-2 gap-x-4">
        <div>
          <dt className="text-xs text-faint">{words.allocationNow}</dt>
          <dd className="figures">{usd(now)}</dd>
        </div>
        <div>
          <dt className="text-xs text-faint">{amount < 0n ? words.afterUnstaking : words.afterStaking}</dt>
          <dd className="figures">{amount === 0n ? '–' : usd(then)}</dd>
        </div>
      </dl>
      <p className="text-xs text-dim">
        {staked + amount < minimumStake(decimals) && (amount !== 0n || staked > 0n) ? words.underMinimum : ''}
        {words.poolNote(usd(dailyPoolUsd))}
      </p>
    </div>
  );
}

function usd(amount: number): string {
  return formatCost(amount.toFixed(amount < 1 ? 6 : 2));
}
