'use client';

import { gatewayOptions } from '@/lib/browser/gateway';
import { askStakingPool } from '@/lib/client';
import { useRead } from '../reads/use-read';
import { STAKING_POOL_KEY } from './staking-pool-key';

/** What all wallets have staked for daily allocations, without any wallet; null data where nothing can be staked. */
export function useStakingPool() {
  return useRead({ key: STAKING_POOL_KEY, read: (signal) => askStakingPool(gatewayOptions(), { signal }), retries: 1 });
}
