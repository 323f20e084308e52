'use client';

import { loadCode } from '@/lib/browser/load-code';
import type { ApiDescription } from '@/lib/browser/api-reference/api-description';
import { useEffect, useMemo, useState } from 'react';
import type { FilteredReference, ReferenceLists } from './filter-reference';
import type * as referenceSearch from './filter-reference';

type ReferenceSearch = typeof referenceSearch;

let loaded: ReferenceSearch | null = null;

/** Returns the matches; null without a search or before the search code has loaded. */
export function useReferenceSearch(
  description: ApiDescription | null,
  lists: ReferenceLists,
  search: string,
): FilteredReference | null {
  const [code, setCode] = useState(loaded);
  const isSearching = search.trim() !== '';
  useEffect(() => {
    if (!isSearching || code !== null) return;
    let isWanted = true;
    // If the load fails, the full reference stays and the next search retries.
    void loadReferenceSearch().then(
      (search) => isWanted && setCode(search),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [isSearching, search, code]);
  return useMemo(
    () =>
      description === null || code === null || !isSearching ? null : code.filterReference(description, lists, search),
    [description, code, lists, isSearching, search],
  );
}

export async function loadReferenceSearch(): Promise<ReferenceSearch> {
  loaded ??= await loadCode(() => import('./filter-reference'));
  return loaded;
}
