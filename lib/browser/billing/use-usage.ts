'use client';

import { type ChargeGrouping, type ChargeQuery, listCharges, sumCharges } from '@/lib/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';

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
