'use client';

import { loadCode } from '@/lib/browser/load-code';
import type { ApiDescription } from '@/lib/browser/api-reference/api-description';
import { useEffect, useMemo, useState } from 'react';
import type { FilteredReference } from './filter-reference';
import type * as referenceSearch from './reference-search';

type ReferenceSearch = typeof referenceSearch;

/** What matches a search, with the lists that show it. */
export interface SearchedReference {
  filtered: FilteredReference;
  lists: Pick<ReferenceSearch, 'ErrorSection' | 'MethodSection'>;
}

let loaded: ReferenceSearch | null = null;

/** What of the reference matches; null where nothing is searched, and until the search has loaded, which takes a moment the first time. */
export function useReferenceSearch(description: ApiDescription | null, search: string): SearchedReference | null {
  const [code, setCode] = useState(loaded);
  const isSearching = search.trim() !== '';
  useEffect(() => {
    if (!isSearching || code !== null) return;
    let isWanted = true;
    // Where it does not come, all of the reference stays, the console says that nothing answers, and the next search tries again.
    void loadReferenceSearch().then((search) => isWanted && setCode(search), () => undefined);
    return () => {
      isWanted = false;
    };
  }, [isSearching, search, code]);
  return useMemo(() => (description === null || code === null || !isSearching ? null : { filtered: code.filterReference(description, search), lists: code }), [description, code, isSearching, search]);
}

/** Loads the search, for whoever is about to use it. */
export async function loadReferenceSearch(): Promise<ReferenceSearch> {
  loaded ??= await loadCode(() => import('./reference-search'));
  return loaded;
}
