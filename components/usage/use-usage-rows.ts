'use client';

import {
  type CallCredential,
  type RequestSum,
  type SplitCharge,
  splitCharges,
  sumRequests,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { useCredential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { keyText } from '@/lib/browser/reads/read-cache';
import { useRead } from '@/lib/browser/reads/use-read';
import { usageWords } from './words';
import { groupOfResource, type StackRow } from '@/components/billing/stacked-sums';
import {
  chargesQueryOf,
  isByHour,
  requestsQueryOf,
  type Stack,
  type Tab,
  type UsageView,
} from '@/components/billing/usage-view';

const IN_TOKENS: readonly string[] = ['chat', 'embeddings'];

/**
 * Returns the rows of a view's plot. The value of a latency row is the total time, because averages cannot be added.
 * After a change of filter, returns the previous rows until the new rows arrive, if account, figure and period are the same.
 */
export function useUsageRows(view: UsageView) {
  const { presented } = useCredential();
  const kind = figureOf(view, presented);
  const query = view.tab === 'cost' ? chargesQueryOf(view) : requestsQueryOf(view, false);
  const { data, ...read } = useRead({
    key: ['usage', 'rows', presented, view.tab, view.by, isByHour(view), query],
    enabled: presented !== null,
    read: async (signal) => ({ kind, rows: await readRows(gatewayOptions(presented), view, signal) }),
    keepsPrevious: true,
    staleMs: 5_000,
  });
  return { ...read, data: data?.kind === kind ? data.rows : undefined };
}

/** Identifies the account, figure and period of rows. For a single day, ignores `days`, as the query does. */
export function figureOf({ tab, by, days, day }: UsageView, presented: CallCredential | null): string {
  return keyText([presented, tab, by, day === '' ? days : day]);
}

/** Returns the requests of a view by hour or day, without splitting them into groups. */
export function useRequestSums(view: UsageView, enabled: boolean) {
  const { presented } = useCredential();
  const query = { ...requestsQueryOf(view, false), groupBy: isByHour(view) ? 'hour' : 'day' } as const;
  return useRead({
    key: ['usage', 'whole', presented, query],
    enabled: enabled && presented !== null,
    read: (signal) => sumRequests(gatewayOptions(presented), query, { signal }),
    staleMs: 5_000,
  });
}

async function readRows(options: TurnpikeClientOptions, view: UsageView, signal?: AbortSignal): Promise<StackRow[]> {
  const groupBy = isByHour(view) ? 'hour' : 'day';
  const { tab, by } = view;
  if (tab === 'cost') {
    const splitBy = by === 'key' ? 'key' : 'resource';
    const charges = await splitCharges(options, groupBy, splitBy, chargesQueryOf(view), { signal });
    return charges.map((sum) => rowOfCharge(sum, by));
  }
  const sums = await sumRequests(options, { ...requestsQueryOf(view, false), groupBy, splitBy: by }, { signal });
  return sums
    .filter(({ product }) => tab !== 'tokens' || IN_TOKENS.includes(product ?? ''))
    .map((sum) => rowOfRequests(sum, tab, by));
}

export function rowOfCharge({ group, split, apiKey, charges, amount }: SplitCharge, by: Stack): StackRow {
  const id = by === 'key' || by === 'status' ? keyGroup(split, apiKey) : groupOfResource(split, by);
  return { start: group, ...id, value: Number(amount), count: charges };
}

export function rowOfRequests(sum: RequestSum, tab: Tab, by: Stack): StackRow {
  const { group, product, split, apiKey, requests, averageMs, units } = sum;
  const values: Record<Tab, number> = {
    cost: Number(sum.amount),
    requests,
    tokens: units,
    latency: averageMs * requests,
  };
  const id =
    by === 'status'
      ? { id: split, label: split ?? '', product: null }
      : by === 'key'
        ? keyGroup(split ?? '', apiKey)
        : groupOfResource(split === null || by === 'product' ? (product ?? '') : `${product}/${split}`, by);
  return { start: group, ...id, value: values[tab], count: requests };
}

function keyGroup(id: string, key: SplitCharge['apiKey']): { id: string | null; label: string; product: null } {
  return { id: id === '' ? null : id, label: usageWords.filters.key(key, id), product: null };
}
