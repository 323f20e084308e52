'use client';

import { gatewayOptions } from '@/lib/browser/gateway';
import { askStakingPool } from '@/lib/client';
import { useRead } from '../reads/use-read';
import { STAKING_POOL_KEY } from './staking-pool-key';

/**
 * Reads the total stake for daily allocations. Needs no wallet. The data is null if the gateway does not offer staking.
 */
export function useStakingPool() {
  return useRead({ key: STAKING_POOL_KEY, read: (signal) => askStakingPool(gatewayOptions(), { signal }), retries: 1 });
}
