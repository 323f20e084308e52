'use client';

import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import type { ApiDescription } from '@/lib/browser/api-reference/api-description';
import { useApiDescription } from '@/lib/browser/api-reference/use-api-description';
import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { ErrorSection, MethodSection, SchemaSection } from './reference-lists';
import { OperationSection } from './operation-section';
import { ReferenceNav } from './reference-nav';
import { filterReference, type FilteredReference } from './filter-reference';

/** The API reference, rendered from the description that this gateway serves of itself. */
export function Reference() {
  const { description, error, retry } = useApiDescription();
  const [search, setSearch] = useState('');
  const found = useDeferredValue(search);
  useFragment(description !== null);
  const filtered = description === null ? null : filterReference(description, found);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col lg:flex-row">
      <div className="sticky top-0 z-10 flex shrink-0 flex-col gap-3 border-b border-line bg-ground px-4 py-3 lg:max-h-[calc(100dvh-6rem)] lg:w-72 lg:self-start lg:overflow-auto lg:border-b-0 lg:py-6">
        <label className="relative">
          <span className="sr-only">Search the reference</span>
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint" />
          <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} placeholder="Search paths, fields, errors…" className="pl-8" />
        </label>
        {filtered && <ReferenceNav filtered={filtered} />}
      </div>
      <div className="grid min-w-0 flex-1 content-start gap-10 px-4 py-6 lg:border-l lg:px-8">
        <ReferenceHead description={description} />
        {error !== null && description === null && (
          <Notice tone="bad" title={error.message} actions={<Button size="sm" onClick={retry}>Try again</Button>}>
            The reference is made from the description that the gateway serves at /api/v1/openapi.json.
          </Notice>
        )}
        {description === null && error === null && <Loading />}
        {description !== null && filtered !== null && <Sections description={description} filtered={filtered} search={found} onClear={() => setSearch('')} />}
      </div>
    </div>
  );
}

function ReferenceHead({ description }: { description: ApiDescription | null }) {
  return (
    <header className="grid gap-2">
      <h1 className="text-2xl font-semibold tracking-tight">API reference</h1>
      {description === null ? (
        <Skeleton className="h-5 w-full max-w-xl" />
      ) : (
        <>
          <p className="max-w-3xl text-dim">{description.description}</p>
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-dim">
            <span>
              Base address <code className="figures text-xs wrap-anywhere">{description.baseUrl}</code>
            </span>
            <span>
              Version <code className="figures text-xs">{description.version}</code>
            </span>
            <a href="/api/v1/openapi.json" className="text-amber-ink underline-offset-4 hover:underline">
              OpenAPI 3.1 document
            </a>
          </p>
        </>
      )}
    </header>
  );
}

function Sections({ description, filtered, search, onClear }: { description: ApiDescription; filtered: FilteredReference; search: string; onClear: () => void }) {
  const isEmpty = Object.values(filtered).every((list) => list.length === 0);
  return (
    <>
      <p role="status" className="sr-only">
        {search.trim() === '' ? '' : isEmpty ? 'Nothing matches.' : `${Object.values(filtered).reduce((sum, list) => sum + list.length, 0)} entries match.`}
      </p>
      {isEmpty && (
        <div className="grid justify-items-center gap-3 py-16 text-center text-sm text-dim">
          Nothing in this reference has all of these words. Try one of them, such as idempotency or 429.
          <Button size="sm" onClick={onClear}>
            Clear the search
          </Button>
        </div>
      )}
      {filtered.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} description={description} />
      ))}
      <MethodSection methods={filtered.methods} />
      <ErrorSection errors={filtered.errors} />
      <SchemaSection names={filtered.schemas} schemas={description.schemas} />
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the reference" className="grid gap-4">
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  );
}

/** The place that the address names does not exist before the description has arrived. */
function useFragment(isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const show = () => {
      const id = window.location.hash.slice(1);
      // Ids are plain ASCII: what does not match as it stands names nothing here.
      if (id !== '') document.getElementById(id)?.scrollIntoView();
    };
    show();
    window.addEventListener('hashchange', show);
    return () => window.removeEventListener('hashchange', show);
  }, [isReady]);
}
