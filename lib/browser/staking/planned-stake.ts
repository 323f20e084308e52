import { dailyAllocationUsd, minimumStake } from './allocation';
import { parseToken } from './token-amount';
import { keysWords } from '../words/keys';

/** What is staked by all, in base units, and what they share a day. */
export interface PoolFigures {
  total: bigint;
  decimals: number;
  dailyPoolUsd: number;
}

/** What a stake would give that somebody thinks about. */
export type PlannedStake =
  | { ok: true; usdPerDay: number; /** Of the pool, from 0 to 1. */ share: number; isUnderMinimum: boolean }
  | { ok: false; sentence: string };

const PERCENT_PLACES = 1_000_000n;

/** Works out what a typed amount would give a day if it were staked beside what all have staked now. */
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
