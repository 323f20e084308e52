'use client';

import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { SwitchChainButton } from '@/components/wallet/wallet-buttons';
import { useNow } from '@/lib/browser/page/clock';
import { formatBalance } from '@/lib/browser/text/amounts';
import { formatCountdown } from '@/lib/browser/text/moments';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import type { StakingDeployment } from '@/lib/client';
import type { ReactNode } from 'react';
import type { Config } from 'wagmi';
import { type PoolState, type StakesOptions, useAllocation, useKnownStakes } from './pool-state';
import { useWalletBalance } from '../use-mint';
import { allocationMeter, dailyAllocationUsd, formatToken, minimumStake } from './allocation';
import { PoolCard } from './pool-card';
import { stakingWords } from './words';

interface StakingSectionProps {
  wallet: ConnectedWallet;
  config: Config;
  deployment: StakingDeployment;
  dailyPoolUsd: number;
}

/** Shows both staking pools: for minting keys and for the daily allocation. */
export function StakingSection({ wallet, config, deployment, dailyPoolUsd }: StakingSectionProps) {
  const { chain } = useWalletChain();
  const shared = { wallet, config, chain };
  return (
    <section aria-label={stakingWords.label} className="grid gap-4">
      {wallet.chainId !== chain.id && (
        <Notice tone="warn" title={stakingWords.otherChain(chain.name)} actions={<SwitchChainButton tone="primary" />}>
          {stakingWords.happensOn(chain.name)}
        </Notice>
      )}
      <KeyMeters wallet={wallet} config={config} deployment={deployment} dailyPoolUsd={dailyPoolUsd} />
      <div className="grid gap-4 lg:grid-cols-2">
        <PoolCard
          {...shared}
          {...stakingWords.right}
          addresses={{ chainId: chain.id, token: deployment.stakeToken, pool: deployment.staking }}
        />
        <PoolCard
          {...shared}
          {...stakingWords.allocation}
          addresses={{ chainId: chain.id, token: deployment.dailyCreditToken, pool: deployment.dailyCreditPool }}
          preview={(state, amount) => (
            <AllocationPreview state={state} amount={amount} dailyPoolUsd={dailyPoolUsd} wallet={wallet.address} />
          )}
        />
      </div>
    </section>
  );
}

interface AllocationPreviewProps {
  state: PoolState;
  /** Amount in base units; negative for unstaking. */
  amount: bigint;
  dailyPoolUsd: number;
  wallet: string;
}

function AllocationPreview({ state, amount, dailyPoolUsd, wallet }: AllocationPreviewProps) {
  const { staked, total, decimals } = state;
  const now = dailyAllocationUsd({ staked, total, decimals, dailyPoolUsd });
  const fixed = useAllocation(wallet, staked >= minimumStake(decimals));
  // Prefers the gateway's amount for today, because other pages show this amount.
  const today = fixed ? fixed : now;
  const then = dailyAllocationUsd({ staked: staked + amount, total: total + amount, decimals, dailyPoolUsd });
  return (
    <div className="grid gap-1 rounded-md border border-line bg-surface px-3 py-2 text-sm">
      <dl className="grid grid-cols-2 gap-x-4">
        <div>
          <dt className="text-xs text-faint">{stakingWords.allocationNow}</dt>
          <dd className="figures">{formatBalance(today)}</dd>
        </div>
        <div>
          <dt className="text-xs text-faint">
            {amount < 0n ? stakingWords.afterUnstaking : stakingWords.afterStaking}
          </dt>
          <dd className="figures">{amount === 0n ? '–' : formatBalance(then)}</dd>
        </div>
      </dl>
      <p className="text-xs text-dim">
        {staked + amount < minimumStake(decimals) && (amount !== 0n || staked > 0n) ? stakingWords.underMinimum : ''}
        {formatBalance(today) === formatBalance(now) ? '' : stakingWords.fromTomorrow(formatBalance(now))}
        {stakingWords.poolNote(formatBalance(dailyPoolUsd))}
      </p>
    </div>
  );
}

const words = stakingWords.meters;
const DAY_MS = 86_400_000;

function KeyMeters({ dailyPoolUsd, ...stakes }: StakesOptions & { dailyPoolUsd: number }) {
  const { stake, dailyStake } = useKnownStakes(stakes);
  const daily = dailyStake === null ? null : dailyAllocationUsd({ ...dailyStake, dailyPoolUsd });
  const fixed = useAllocation(stakes.wallet.address, daily !== null && daily > 0);
  const left = useWalletBalance(stakes.wallet.address)?.balances.diem ?? null;
  const meter = allocationMeter(daily, fixed, left);
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
        value={meter === null ? null : formatBalance(meter.shown)}
        share={meter === null || meter.today === 0 ? 0 : meter.shown / meter.today}
        ink="bg-good"
      >
        {meter === null ? null : (
          <>
            {meter.isLeft && words.leftOf(formatBalance(meter.today))} <Renewal />
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
