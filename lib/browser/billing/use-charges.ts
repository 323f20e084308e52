'use client';

import { type ChargePage, type ChargeQuery, listCharges } from '@/lib/client';
import { useCredential } from '../credential';
import { gatewayOptions } from '../gateway';
import { keyText } from '../reads/read-cache';
import { useAction } from '../reads/use-action';
import { useRead, useReads } from '../reads/use-read';

const PAGE_CHARGES = 25;

/** The charges of the credential in use, newest first, a page at a time. What was read again has as many pages as before. */
export function useCharges(query: ChargeQuery) {
  const { presented } = useCredential();
  const reads = useReads();
  const key = ['usage', 'charges', presented, query];
  const readPage = (cursor: string | null, signal?: AbortSignal) =>
    listCharges(
      gatewayOptions(presented),
      { ...query, limit: PAGE_CHARGES, ...(cursor === null ? {} : { cursor }) },
      { signal },
    );
  const {
    data: pages,
    isPending,
    error,
    refetch,
  } = useRead<readonly ChargePage[]>({
    key,
    enabled: presented !== null,
    read: async (signal) => {
      const shown = (reads.dataOf(key) as readonly ChargePage[] | undefined)?.length ?? 1;
      const read = [await readPage(null, signal)];
      for (let cursor = nextOf(read); cursor !== null && read.length < shown; cursor = nextOf(read))
        read.push(await readPage(cursor, signal));
      return read;
    },
    staleMs: 5_000,
  });
  const next = nextOf(pages);
  const older = useAction(async ({ cursor }: { cursor: string; of: string }) => {
    const page = await readPage(cursor);
    const before = reads.dataOf(key) as readonly ChargePage[] | undefined;
    // What is shown may have been read again meanwhile, and end elsewhere.
    if (before !== undefined && nextOf(before) === cursor) reads.put(key, [...before, page]);
  });
  // Of another query nothing is said here.
  const isOlderOfThis = older.input?.of === keyText(key);
  return {
    charges: pages?.flatMap(({ data }) => data) ?? [],
    isPending,
    error: error ?? (isOlderOfThis ? older.error : null),
    hasOlder: next !== null,
    isReadingOlder: isOlderOfThis && older.isPending,
    readOlder: () => next !== null && void older.run({ cursor: next, of: keyText(key) }),
    refetch,
  };
}

function nextOf(pages: readonly ChargePage[] | undefined): string | null {
  return pages?.at(-1)?.pagination.nextCursor ?? null;
}
