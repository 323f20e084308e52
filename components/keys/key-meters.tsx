'use client';

import { Skeleton } from '@/components/ui/skeleton';
import { formatBalance } from '@/lib/browser/amounts';
import { useNow } from '@/lib/browser/clock';
import { formatCountdown } from '@/lib/browser/countdown';
import { dailyAllocationUsd } from '@/lib/browser/staking/allocation';
import { formatToken } from '@/lib/browser/staking/token-amount';
import { useAllocation } from '@/lib/browser/staking/use-allocation';
import { stakingWords } from '@/lib/browser/words/staking';
import type { ReactNode } from 'react';
import { type StakesOptions, useKnownStakes } from './use-known-stakes';

const words = stakingWords.meters;
const DAY_MS = 86_400_000;

/** Two meters: what is staked for keys, and what is left of today's allocation. As high as their placeholder. */
export function KeyMeters({ dailyPoolUsd, ...stakes }: StakesOptions & { dailyPoolUsd: number }) {
  const { stake, dailyStake } = useKnownStakes(stakes);
  const daily = dailyStake === null ? null : dailyAllocationUsd({ ...dailyStake, dailyPoolUsd });
  const fixed = useAllocation(stakes.wallet.address, daily !== null && daily > 0);
  // Until the gateway has fixed it, the allocation is what the stake gives.
  const left = fixed ? fixed : daily;
  // Less than today's allocation may be left, and more than the stake now gives after unstaking.
  const today = daily === null || left === null ? null : Math.max(daily, left);
  return (
    <dl className="grid grid-cols-2 gap-4">
      <Meter
        name={words.stake}
        value={stake === null ? null : `${formatToken(stake.staked, stake.decimals)} ${stake.symbol}`}
        share={stake === null ? 0 : shareOf(stake.staked, stake.staked + stake.balance)}
        ink="bg-amber"
      >
        {stake === null
          ? null
          : stake.staked > 0n
            ? words.canMint
            : words.cannotMint(formatToken(stake.balance, stake.decimals))}
      </Meter>
      <Meter
        name={words.allocation}
        value={left === null ? null : formatBalance(left)}
        share={today === null || today === 0 || left === null ? 0 : left / today}
        ink="bg-good"
      >
        {today === null ? null : (
          <>
            {words.leftOf(formatBalance(today))} <Renewal />
          </>
        )}
      </Meter>
    </dl>
  );
}

function Meter({
  name,
  value,
  share,
  ink,
  children,
}: {
  name: string;
  /** Null while unknown. */
  value: string | null;
  /** 0 to 1. */
  share: number;
  ink: string;
  children: ReactNode;
}) {
  return (
    <div className="grid h-34 min-w-0 sm:h-30 content-start gap-2 rounded-md bg-surface p-3 sm:p-4">
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="grid min-w-0 gap-2">
        {value === null ? (
          <Skeleton className="h-7 w-24" />
        ) : (
          <span className="truncate text-xl leading-7 tabular-nums font-semibold sm:text-2xl sm:leading-7">
            {value}
          </span>
        )}
        <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className={`block h-full rounded-full transition-[width] ${ink}`}
            style={{ width: `${Math.min(1, share) * 100}%` }}
          />
        </span>
        <span className="line-clamp-2 text-xs text-dim">{children}</span>
      </dd>
    </div>
  );
}

function Renewal() {
  const now = useNow(1000);
  return (
    <>
      {words.renewed} <span className="figures">{formatCountdown(DAY_MS - (now % DAY_MS))}</span>
    </>
  );
}

function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000n) / whole) / 1_000;
}
