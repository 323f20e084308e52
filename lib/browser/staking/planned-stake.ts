import { dailyAllocationUsd, minimumStake } from './allocation';
import { parseToken } from './token-amount';
import { keysWords } from '../words/keys';

export interface PoolFigures {
  total: bigint;
  decimals: number;
  dailyPoolUsd: number;
}

export type PlannedStake =
  | { ok: true; usdPerDay: number; /** Share of the pool, 0 to 1. */ share: number; isUnderMinimum: boolean }
  | { ok: false; sentence: string };

const PERCENT_PLACES = 1_000_000n;

/** Estimates the daily credits for an amount that the user would add to the current total stake. */
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
