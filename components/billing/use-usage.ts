'use client';

import { type ChargeGrouping, type ChargeQuery, listCharges, splitCharges, sumCharges } from '@/lib/client';
import { useCredential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { keyText } from '@/lib/browser/reads/read-cache';
import { useRead } from '@/lib/browser/reads/use-read';
import { firstDayOf } from './usage-view';
import { groupOfResource, type StackRow } from './stacked-sums';

export function useChargeSums(groupBy: ChargeGrouping, query: ChargeQuery) {
  const { presented } = useCredential();
  const account = keyText([presented]);
  const { data, ...read } = useRead({
    key: ['usage', 'sums', presented, groupBy, query],
    enabled: presented !== null,
    read: async (signal) => ({
      account,
      sums: await sumCharges(gatewayOptions(presented), groupBy, query, { signal }),
    }),
    keepsPrevious: true,
    staleMs: 5_000,
  });
  // The previous sums may belong to another payment method.
  return { ...read, data: data?.account === account ? data.sums : undefined };
}

/** Returns the cost of the last `days` days (including today) by day and product. */
export function useSpending(days: number) {
  const { presented } = useCredential();
  const query = { startDate: firstDayOf(days) };
  return useRead({
    key: ['usage', 'spending', presented, query],
    enabled: presented !== null,
    read: async (signal): Promise<StackRow[]> => {
      const charges = await splitCharges(gatewayOptions(presented), 'day', 'resource', query, { signal });
      return charges.map(({ group, split, charges: count, amount }) => ({
        start: group,
        ...groupOfResource(split, 'product'),
        value: Number(amount),
        count,
      }));
    },
    staleMs: 5_000,
  });
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
