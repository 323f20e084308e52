/** Of the staking pool in the cache. */
export const STAKING_POOL_KEY = ['staking-pool'] as const;
