'use client';

import { gatewayOptions } from '@/lib/browser/gateway';
import { askStakingPool } from '@/lib/client';
import { useQuery } from '@tanstack/react-query';
import { STAKING_POOL_KEY } from './staking-pool-key';

/** What all wallets have staked for daily allocations, without any wallet; null data where nothing can be staked. */
export function useStakingPool() {
  return useQuery({ queryKey: STAKING_POOL_KEY, queryFn: ({ signal }) => askStakingPool(gatewayOptions(), { signal }), staleTime: 60_000, retry: 1 });
}
