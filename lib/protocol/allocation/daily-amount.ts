/** A wallet's part in the daily-credit pool, in base units of the token. */
export interface PoolShare {
  staked: bigint;
  /** Of all wallets together, this one included. */
  total: bigint;
  decimals: number;
}

/** At least this much of the daily-credit token, staked, gives an allocation, in base units: a tenth of one (spec, "Authentication"). */
export function minimumStake(decimals: number): bigint {
  // The least that is not under a tenth, also of a token without decimals.
  return (10n ** BigInt(decimals) + 9n) / 10n;
}

/**
 * The daily allocation of a stake, in nano-USD: its share of what the pool hands out a day, rounded down; nothing under
 * 0.1 tokens (spec, "Authentication"). Never more than the pool, whatever the chain says.
 *
 * @param dailyPoolNanoUsd what all stakers together have a day
 */
export function dailyAmount({ staked, total, decimals }: PoolShare, dailyPoolNanoUsd: number): number {
  if (staked <= 0n || total <= 0n || staked < minimumStake(decimals)) return 0;
  const share = (BigInt(dailyPoolNanoUsd) * staked) / total;
  return Math.min(Number(share), dailyPoolNanoUsd);
}
