/**
 * Minimum heights of the pool cards while they load: as at the last visit (`lib/browser/page/head-scripts.ts`), else as
 * for an empty wallet.
 */
export const POOL_HEIGHTS = {
  right: 'min-h-[var(--pool-right,28.375rem)] lg:min-h-[var(--pool-right,25.875rem)]',
  allocation: 'min-h-[var(--pool-allocation,37rem)] lg:min-h-[var(--pool-allocation,32.25rem)]',
} as const;
