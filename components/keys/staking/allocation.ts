'use client';

import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { STAKING_POOL_KEY } from '@/lib/browser/reads/known-keys';
import { useRead } from '@/lib/browser/reads/use-read';
import { askStakingPool } from '@/lib/client';
import { dailyAmount, minimumStake, type PoolShare } from '@/lib/protocol/allocation/daily-amount';
import { keysWords } from '../words';
import { parseToken } from './token-amount';

export { minimumStake } from '@/lib/protocol/allocation/daily-amount';

export interface AllocationOf extends PoolShare {
  dailyPoolUsd: number;
}

/**
 * Returns a stake's daily credits in USD: its share of the pool, or 0 below the minimum. The result is a float, for
 * display.
 */
export function dailyAllocationUsd({ dailyPoolUsd, ...share }: AllocationOf): number {
  return dailyAmount(share, Math.round(dailyPoolUsd * 1e9)) / 1e9;
}

/**
 * Returns what the allocation meter shows, in USD.
 * @param stake daily credits of the stake; null while unknown
 * @param fixed allocation that the gateway has fixed for today; 0 or null if it has fixed none
 * @param left unspent part of `fixed`; null while unknown, for example without a sign-in
 */
export function allocationMeter(
  stake: number | null,
  fixed: number | null,
  left: number | null,
): { today: number; shown: number; isLeft: boolean } | null {
  if (!fixed) return stake === null ? null : { today: stake, shown: stake, isLeft: false };
  return { today: fixed, shown: left ?? fixed, isLeft: left !== null };
}

export interface PoolFigures {
  total: bigint;
  decimals: number;
  dailyPoolUsd: number;
}

export type PlannedStake =
  | { ok: true; usdPerDay: number; /** Share of the pool, 0 to 1. */ share: number; isUnderMinimum: boolean }
  | { ok: false; sentence: string };

const PERCENT_PLACES = 1_000_000n;

/** Estimates the daily credits for an amount that the user would add to the total stake. */
export function plannedStake(text: string, { total, decimals, dailyPoolUsd }: PoolFigures): PlannedStake {
  const amount = parseToken(text, decimals);
  if (amount === null) return { ok: false, sentence: keysWords.amount.noAmount };
  const together = total + amount;
  const share = together === 0n ? 0 : Number((amount * PERCENT_PLACES) / together) / Number(PERCENT_PLACES);
  return {
    ok: true,
    usdPerDay: dailyAllocationUsd({ staked: amount, total: together, decimals, dailyPoolUsd }),
    share,
    isUnderMinimum: amount < minimumStake(decimals),
  };
}

/**
 * Reads the total stake for daily allocations. Needs no wallet. The data is null if the gateway does not offer staking.
 */
export function useStakingPool() {
  return useRead({ key: STAKING_POOL_KEY, read: (signal) => askStakingPool(gatewayOptions(), { signal }), retries: 1 });
}
