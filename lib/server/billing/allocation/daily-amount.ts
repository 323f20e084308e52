import type { DailyCreditStake } from './stake-reader';

/**
 * The daily allocation of a stake, in nano-USD: its share of what the pool hands out a day, rounded down; nothing under
 * 0.1 tokens (spec, "Authentication"). Never more than the pool, whatever the chain says.
 *
 * @param dailyPoolNanoUsd what all stakers together have a day
 */
export function dailyAmount({ staked, total, decimals }: DailyCreditStake, dailyPoolNanoUsd: number): number {
  if (staked <= 0n || total <= 0n || staked * 10n < 10n ** BigInt(decimals)) return 0;
  const share = (BigInt(dailyPoolNanoUsd) * staked) / total;
  return Math.min(Number(share), dailyPoolNanoUsd);
}
