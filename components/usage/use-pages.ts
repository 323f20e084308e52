'use client';

import type { PageRequest } from '@/components/samples/http-request';
import { useCredential } from '@/lib/browser/credential/credential';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { keyText } from '@/lib/browser/reads/read-cache';
import { useAction, useRead, useReads } from '@/lib/browser/reads/use-read';
import {
  type CallOptions,
  type ChargeQuery,
  chargesPath,
  listCharges,
  listRequests,
  type RequestQuery,
  requestsPath,
  type TurnpikeClientOptions,
} from '@/lib/client';

const PAGE_ITEMS = 25;
/** Delay before rereading an empty list, because the gateway logs a request up to 5 seconds after its answer. */
const EMPTY_AGAIN_MS = 3_000;

interface Page<Item> {
  data: readonly Item[];
  pagination: { nextCursor: string | null };
}

type ReadPage<Item, Query> = (
  options: TurnpikeClientOptions,
  query: Query & { limit: number; cursor?: string },
  callOptions?: CallOptions,
) => Promise<Page<Item>>;

/**
 * Returns the current credential's items, newest first, page by page. A refresh keeps the number of pages.
 * @param name identifies the list in the read cache
 */
export function usePages<Item, Query extends object>(name: string, query: Query, list: ReadPage<Item, Query>) {
  const { presented } = useCredential();
  const reads = useReads();
  const key = ['usage', name, presented, query];
  const readPage = (cursor: string | null, signal?: AbortSignal) =>
    list(
      gatewayOptions(presented),
      { ...query, limit: PAGE_ITEMS, ...(cursor === null ? {} : { cursor }) },
      signal && { signal },
    );
  const {
    data: pages,
    isPending,
    error,
    refetch,
  } = useRead<readonly Page<Item>[]>({
    key,
    enabled: presented !== null,
    read: async (signal) => {
      const shown = (reads.dataOf(key) as readonly Page<Item>[] | undefined)?.length ?? 1;
      const read = [await readPage(null, signal)];
      for (let cursor = nextOf(read); cursor !== null && read.length < shown; cursor = nextOf(read))
        read.push(await readPage(cursor, signal));
      return read;
    },
    staleMs: 5_000,
    everyMs: ({ data }) => (data?.[0]?.data.length === 0 ? EMPTY_AGAIN_MS : null),
  });
  const next = nextOf(pages);
  const older = useAction(async ({ cursor }: { cursor: string; of: string }) => {
    const page = await readPage(cursor);
    const before = reads.dataOf(key) as readonly Page<Item>[] | undefined;
    // Drops the page if a refresh has replaced the pages before it.
    if (before !== undefined && nextOf(before) === cursor) reads.put(key, [...before, page]);
  });
  const isOlderOfThis = older.input?.of === keyText(key);
  return {
    items: pages?.flatMap(({ data }) => data) ?? [],
    isPending,
    error: error ?? (isOlderOfThis ? older.error : null),
    hasOlder: next !== null,
    isReadingOlder: isOlderOfThis && older.isPending,
    readOlder: () => next !== null && void older.run({ cursor: next, of: keyText(key) }),
    refetch,
  };
}

function nextOf(pages: readonly Page<unknown>[] | undefined): string | null {
  return pages?.at(-1)?.pagination.nextCursor ?? null;
}

export function useCharges(query: ChargeQuery) {
  return usePages('charges', query, listCharges);
}

export function useRequests(query: RequestQuery) {
  return usePages('requests', query, listRequests);
}

/** Returns the API calls that the page shows as code. */
export function usageRequests(query: ChargeQuery, requests: RequestQuery): readonly PageRequest[] {
  return [
    {
      name: 'Sum the charges by day, and reconcile them',
      verb: 'GET',
      path: chargesPath({ ...query, groupBy: 'day' }),
    },
    { name: 'Sum the charges by resource', verb: 'GET', path: chargesPath({ ...query, groupBy: 'resource' }) },
    { name: 'Sum the charges by key', verb: 'GET', path: chargesPath({ ...query, groupBy: 'key' }) },
    { name: 'List the charges, newest first', verb: 'GET', path: chargesPath({ ...query, limit: 25 }) },
    {
      name: 'List the requests, refused and failed ones included',
      verb: 'GET',
      path: requestsPath({ ...requests, limit: 25 }),
    },
    { name: 'Read the balance', verb: 'GET', path: '/api/v1/billing/balance' },
  ];
}
