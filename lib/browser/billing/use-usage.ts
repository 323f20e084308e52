'use client';

import { type ChargeGrouping, type ChargeQuery, listCharges, sumCharges } from '@/lib/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';

const PAGE_CHARGES = 25;

/** Sums of the charges of the credential in use. */
export function useChargeSums(groupBy: ChargeGrouping, query: ChargeQuery) {
  const { presented } = useCredential();
  return useQuery({
    queryKey: ['usage', 'sums', presented, groupBy, query],
    enabled: presented !== null,
    queryFn: ({ signal }) => sumCharges(gatewayOptions(presented), groupBy, query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
}

const LAST_CHARGES = 6;

/** The last few charges of the credential in use, of any resource, newest first. */
export function useLastCharges() {
  const { presented } = useCredential();
  return useQuery({
    queryKey: ['usage', 'last', presented],
    enabled: presented !== null,
    queryFn: async ({ signal }) => (await listCharges(gatewayOptions(presented), { limit: LAST_CHARGES }, { signal })).data,
    staleTime: 5_000,
  });
}

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
