export const STAKING_POOL_KEY = ['staking-pool'] as const;
