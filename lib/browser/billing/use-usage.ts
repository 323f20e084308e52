'use client';

import { type ChargeGrouping, type ChargeQuery, type ChargeSums, listCharges, sumCharges } from '@/lib/client';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { useRead } from '../reads/use-read';
import { mostSpentOn, stackDays } from './stacked-days';

export function useChargeSums(groupBy: ChargeGrouping, query: ChargeQuery) {
  const { presented } = useCredential();
  return useRead({
    key: ['usage', 'sums', presented, groupBy, query],
    enabled: presented !== null,
    read: (signal) => sumCharges(gatewayOptions(presented), groupBy, query, { signal }),
    keepsPrevious: true,
    staleMs: 5_000,
  });
}

/** Splits sums by day by the costliest resources. Returns one part until their sums have arrived. */
export function useStackedDays(sums: ChargeSums, query: ChargeQuery) {
  const { presented } = useCredential();
  const options = gatewayOptions(presented);
  const { data = [] } = useRead({
    key: ['usage', 'stack', presented, query],
    enabled: presented !== null,
    read: async (signal) => {
      const resources = mostSpentOn((await sumCharges(options, 'resource', query, { signal })).data);
      return Promise.all(
        resources.map(async (resource) => ({
          resource,
          data: (await sumCharges(options, 'day', { ...query, resource }, { signal })).data,
        })),
      );
    },
    keepsPrevious: true,
    staleMs: 5_000,
  });
  return stackDays(sums, data);
}

const LAST_CHARGES = 6;

export function useLastCharges() {
  const { presented } = useCredential();
  return useRead({
    key: ['usage', 'last', presented],
    enabled: presented !== null,
    read: async (signal) => (await listCharges(gatewayOptions(presented), { limit: LAST_CHARGES }, { signal })).data,
    staleMs: 5_000,
  });
}
