'use client';

import { type ChargeQuery, listCharges } from '@/lib/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';

const PAGE_CHARGES = 25;

/** The charges of the credential in use, a page at a time. */
export function useCharges(query: ChargeQuery) {
  const { presented } = useCredential();
  return useInfiniteQuery({
    queryKey: ['usage', 'charges', presented, query],
    enabled: presented !== null,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => listCharges(gatewayOptions(presented), { ...query, limit: PAGE_CHARGES, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    staleTime: 5_000,
  });
}
