'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { loadCode } from '@/lib/browser/page/load-code';
import { Search } from 'lucide-react';
import { startTransition, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ApiDescription, OperationHead } from './api-description';
import type * as referenceSearch from './filter-reference';
import type { FilteredReference, ReferenceLists } from './filter-reference';
import { ErrorSection, MethodSection, SchemaSection } from './listed-sections';
import { OperationSection } from './operation-section';
import { type ReferenceContents, ReferenceNav } from './reference-nav';
import { useApiDescription } from './use-api-description';
import { referenceWords } from './words';

const words = referenceWords;

/** Pause in typing before the page shows the matches. Rendering hundreds of entries would delay the next keystroke. */
const TYPING_PAUSE_MS = 250;

/** API reference, rendered from this gateway's OpenAPI description and its lists of methods and errors. */
export function Reference({ first, ...all }: ReferenceLists & { first: OperationHead | null }) {
  const { description, error, retry } = useApiDescription();
  const [search, setSearch] = useState('');
  const found = usePaused(search);
  // Deferred, because rendering immediately would block a phone for half a second.
  const described = useDeferredValue(description, null);
  useFragment(described !== null);
  const lists = useMemo(() => ({ methods: all.methods, errors: all.errors }), [all.methods, all.errors]);
  const searched = useReferenceSearch(description, lists, found);
  const contents = useMemo(() => contentsOf(description, searched, lists), [description, searched, lists]);
  const isComing = description === null && error === null;
  const schemaNames = useMemo(
    () => searched?.schemas ?? [...(description?.schemas.keys() ?? [])],
    [description, searched],
  );
  // The lists are memoized, so that a keystroke does not rerender them.
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-1 flex-col lg:flex-row">
      <div className="sticky top-0 z-10 flex shrink-0 flex-col gap-3 border-b border-line bg-ground px-4 py-3 lg:max-h-[calc(100dvh-6rem)] lg:w-72 lg:self-start lg:overflow-auto lg:border-b-0 lg:py-6">
        <label className="relative">
          <span className="sr-only">{words.search}</span>
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
          />
          <Input
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onFocus={() => void loadReferenceSearch().catch(() => undefined)}
            placeholder={words.searchPlaceholder}
            className="pl-8"
          />
        </label>
        {!isComing ? <ReferenceNav contents={contents} /> : <Skeleton className="h-8 lg:h-96 pointer-coarse:h-10" />}
      </div>
      <div className="grid min-w-0 flex-1 grid-cols-1 content-start gap-10 px-4 py-6 lg:border-l lg:px-8">
        <ReferenceHead description={description} isComing={isComing} />
        {error !== null && description === null && (
          <Notice
            tone="bad"
            title={error.message}
            actions={
              <Button size="sm" onClick={retry}>
                {words.tryAgain}
              </Button>
            }
          >
            {words.madeFrom}
          </Notice>
        )}
        {description !== null && (
          <Found contents={contents} isSearching={searched !== null} onClear={() => setSearch('')} />
        )}
        {described === null
          ? error === null &&
            first !== null && [<OperationSection key={first.id} operation={first} description={null} />]
          : contents.operations.map((operation) => (
              <OperationSection key={operation.id} operation={operation} description={described} />
            ))}
        {described === null && error === null && <Loading />}
        <MethodSection methods={searched?.methods ?? lists.methods} />
        <ErrorSection errors={searched?.errors ?? lists.errors} />
        {described !== null && <SchemaSection names={schemaNames} schemas={described.schemas} />}
      </div>
    </div>
  );
}

function ReferenceHead({ description, isComing }: { description: ApiDescription | null; isComing: boolean }) {
  return (
    <header className="grid gap-2">
      <h1 className="text-2xl font-semibold tracking-tight max-sm:sr-only">{words.title}</h1>
      <p className="max-w-3xl text-dim">{words.intro}</p>
      {isComing && <Skeleton className="h-11 w-full max-w-xl sm:h-5" />}
      {description !== null && (
        <p className="flex min-h-11 flex-wrap content-start gap-x-4 gap-y-1 text-sm text-dim sm:min-h-5">
          <span>
            {words.baseAddress} <code className="figures text-xs wrap-anywhere">{description.baseUrl}</code>
          </span>
          <span>
            {words.version} <code className="figures text-xs">{description.version}</code>
          </span>
          <a href="/api/v1/openapi.json" className="text-amber-ink underline-offset-4 hover:underline">
            {words.document}
          </a>
        </p>
      )}
    </header>
  );
}

/**
 * Returns the table of contents. Methods and errors come with the page, operations and schemas with the OpenAPI
 * description.
 */
function contentsOf(
  description: ApiDescription | null,
  searched: FilteredReference | null,
  { methods, errors }: ReferenceLists,
): ReferenceContents {
  if (description === null) return { operations: [], methods: methods.length, errors: errors.length, schemas: 0 };
  const { operations, schemas } = description;
  if (searched === null) return { operations, methods: methods.length, errors: errors.length, schemas: schemas.size };
  return {
    operations: searched.operations,
    methods: searched.methods.length,
    errors: searched.errors.length,
    schemas: searched.schemas.length,
  };
}

function Found({
  contents: { operations, methods, errors, schemas },
  isSearching,
  onClear,
}: {
  contents: ReferenceContents;
  isSearching: boolean;
  onClear: () => void;
}) {
  const count = operations.length + methods + errors + schemas;
  return (
    <>
      <p role="status" className="sr-only">
        {!isSearching ? '' : count === 0 ? words.nothingMatches : words.matches(count)}
      </p>
      {count === 0 && (
        <div className="grid justify-items-center gap-3 py-16 text-center text-sm text-dim">
          {words.nothingFound}
          <Button size="sm" onClick={onClear}>
            {words.clear}
          </Button>
        </div>
      )}
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={words.loading} className="grid min-h-dvh content-start gap-4">
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  );
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const pause = setTimeout(() => startTransition(() => setPaused(text)), TYPING_PAUSE_MS);
    return () => clearTimeout(pause);
  }, [text]);
  return paused;
}

/** Scrolls to the URL's fragment. Most targets exist only after the OpenAPI description arrives. */
function useFragment(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const show = () => {
      const id = window.location.hash.slice(1);
      // Ids are plain ASCII, so the fragment needs no decoding.
      if (id !== '') document.getElementById(id)?.scrollIntoView();
    };
    show();
    window.addEventListener('hashchange', show);
    return () => window.removeEventListener('hashchange', show);
  }, [isReady]);
}

type ReferenceSearch = typeof referenceSearch;

let loaded: ReferenceSearch | null = null;

function useReferenceSearch(
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

async function loadReferenceSearch(): Promise<ReferenceSearch> {
  loaded ??= await loadCode(() => import('./filter-reference'));
  return loaded;
}
