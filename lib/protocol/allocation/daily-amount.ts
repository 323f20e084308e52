/** One wallet's stake and the stake of all wallets together, in base units of the token. */
export interface PoolShare {
  staked: bigint;
  total: bigint;
  decimals: number;
}

/** Smallest stake with an allocation: 0.1 tokens, in base units (spec, "Authentication"). */
export function minimumStake(decimals: number): bigint {
  return (10n ** BigInt(decimals) + 9n) / 10n;
}

/**
 * Returns the daily allocation of a stake, in nano-USD: the stake's share of the daily pool, rounded down. A stake
 * under `minimumStake` gets nothing. The result is at most the whole pool, because a faulty node may report an
 * impossible stake.
 *
 * @param dailyPoolNanoUsd daily allocation of all stakers together
 */
export function dailyAmount({ staked, total, decimals }: PoolShare, dailyPoolNanoUsd: number): number {
  if (staked <= 0n || total <= 0n || staked < minimumStake(decimals)) return 0;
  const share = (BigInt(dailyPoolNanoUsd) * staked) / total;
  return Math.min(Number(share), dailyPoolNanoUsd);
}
