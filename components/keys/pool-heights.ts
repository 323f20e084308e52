/**
 * The least heights of the two pools' cards while they load: those that they had the last time
 * (`lib/browser/staking/pool-heights.ts`), else those that they have for a wallet that has nothing yet.
 */
export const POOL_HEIGHTS = {
  right: 'min-h-[var(--pool-right,28.375rem)] lg:min-h-[var(--pool-right,25.875rem)]',
  allocation: 'min-h-[var(--pool-allocation,37rem)] lg:min-h-[var(--pool-allocation,32.25rem)]',
} as const;
