/** At least this much of the daily-credit token, staked, gives an allocation (spec, "Authentication"): a tenth of one. */
export function minimumStake(decimals: number): bigint {
  return 10n ** BigInt(decimals) / 10n;
}

export interface AllocationOf {
  staked: bigint;
  /** Staked by all, this wallet included. */
  total: bigint;
  decimals: number;
  /** What all stakers together may spend in a day. */
  dailyPoolUsd: number;
}

const SHARE_PLACES = 1_000_000_000_000n;

/** What a wallet with this stake may spend in a day, in USD: its share of the pool, or nothing under the minimum. */
export function dailyAllocationUsd({ staked, total, decimals, dailyPoolUsd }: AllocationOf): number {
  if (total === 0n || staked < minimumStake(decimals)) return 0;
  return (dailyPoolUsd * Number((staked * SHARE_PLACES) / total)) / Number(SHARE_PLACES);
}

/** The next 00:00 UTC, when allocations begin anew. Unix milliseconds. */
export function nextEpochMs(nowMs: number): number {
  const day = 86_400_000;
  return (Math.floor(nowMs / day) + 1) * day;
}
