'use client';

import { loadCode } from '@/lib/browser/load-code';
import type { ApiDescription } from '@/lib/browser/api-reference/api-description';
import { useEffect, useMemo, useState } from 'react';
import type { FilteredReference, ReferenceLists } from './filter-reference';
import type * as referenceSearch from './filter-reference';

type ReferenceSearch = typeof referenceSearch;

let loaded: ReferenceSearch | null = null;

/** What of the reference matches; null where nothing is searched, and until the search has loaded, which takes a moment the first time. */
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
    // Where it does not come, all of the reference stays, the console says that nothing answers, and the next search tries again.
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

/** Loads the search, for whoever is about to use it. */
export async function loadReferenceSearch(): Promise<ReferenceSearch> {
  loaded ??= await loadCode(() => import('./filter-reference'));
  return loaded;
}
