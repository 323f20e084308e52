'use client';

import { gatewayOptions } from '@/lib/browser/gateway';
import { askAllocation } from '@/lib/client';
import { useEffect } from 'react';
import { useRead, useReads } from '../reads/use-read';

const LOOK_AGAIN_MS = 10_000;

/**
 * Returns what a wallet can still spend of today's allocation, in USD; null while unknown. Each read makes the gateway
 * read the stake and update the balance. The cache repeats the read after each transaction.
 * @param isStaked whether the chain shows a stake that grants an allocation
 */
export function useAllocation(address: string, isStaked: boolean): number | null {
  const reads = useReads();
  const { data } = useRead({
    // The `chain` prefix makes the cache read the allocation again with the chain's state.
    key: ['chain', 'allocation', address],
    read: (signal) => askAllocation(gatewayOptions(), address, { signal }),
    retries: 1,
    staleMs: 5_000,
  });
  const isLate = isStaked && data === 0;
  useEffect(() => {
    // Polls, because the gateway's node may lag behind the wallet's node.
    if (!isLate) return;
    const timer = setInterval(() => void reads.readAgain(['chain', 'allocation']), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLate, reads]);
  useEffect(() => {
    if (data) void reads.readAgain(['balance']);
  }, [data, reads]);
  return data ?? null;
}
