'use client';

import { usageHref } from '@/components/billing/usage-view';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { Skeleton } from '@/components/ui/skeleton';
import type { MouseEvent, ReactNode } from 'react';
import { chargesWords } from './charge-words';
import type { usePages } from './use-pages';
import type { ExportedList } from './export-list';
import { useBrand } from '@/lib/browser/reads/settings';
import { useCredential } from '@/lib/browser/credential/credential';
import { useAction } from '@/lib/browser/reads/use-read';
import { saveFile } from '@/lib/browser/storage/save-file';
import { usageWords } from './words';
import type { CallCredential } from '@/lib/client/index';
import { Download } from 'lucide-react';

interface PagedListProps<Item> {
  words: { title: string; note: string; older: string; isLoading: string };
  empty: string;
  pages: Pick<
    ReturnType<typeof usePages<Item, object>>,
    'items' | 'isPending' | 'error' | 'hasOlder' | 'isReadingOlder' | 'readOlder' | 'refetch'
  >;
  list: (items: readonly Item[]) => ReactNode;
  action?: ReactNode;
  /** True if a control above the list already shows the list's title. */
  isUnderChoice?: boolean;
}

export function PagedList<Item>({ words, empty, pages, list, action, isUnderChoice = false }: PagedListProps<Item>) {
  const { items, isPending, error, hasOlder, isReadingOlder, readOlder, refetch } = pages;
  return (
    <section aria-label={words.title} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className={isUnderChoice ? 'sr-only' : 'text-lg font-semibold'}>{words.title}</h2>
        <p className="flex-1 text-xs text-dim">{words.note}</p>
        {action}
      </div>
      {isPending && <Skeleton className="h-48" />}
      {!isPending && error === null && items.length === 0 && (
        <EmptyState role="status" drawing="rows">
          {empty}
        </EmptyState>
      )}
      {items.length > 0 && list(items)}
      {error !== null && (
        <FailureCard isRead error={error} onRetry={() => void (items.length > 0 ? readOlder() : refetch())} />
      )}
      {hasOlder && error === null && (
        <Button className="justify-self-center" disabled={isReadingOlder} onClick={readOlder}>
          {isReadingOlder ? words.isLoading : words.older}
        </Button>
      )}
    </section>
  );
}

export function RequestId({
  requestId,
  onChoose,
  className,
}: {
  requestId: string;
  onChoose: (request: string) => void;
  className?: string;
}) {
  const choose = (event: MouseEvent) => {
    // The browser itself handles clicks that open a new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(requestId);
  };
  return (
    <span className={cn('-my-0.5 flex min-w-0 items-center text-xs', className)}>
      <a
        href={usageHref({ request: requestId })}
        onClick={choose}
        className="figures min-w-0 truncate text-dim underline underline-offset-4 hover:text-ink"
      >
        {requestId}
      </a>
      <CopyButton
        text={requestId}
        label={chargesWords.copyId(requestId)}
        iconOnly
        className="size-6 pointer-coarse:size-8"
      />
    </span>
  );
}

const words = usageWords.export;

interface ExportButtonProps {
  label: string;
  list: 'charges' | 'requests';
  query: { startDate?: string };
  of: (presented: CallCredential | null) => Promise<ExportedList>;
}

/** Saves the whole list as CSV, not only the shown pages. */
export function ExportButton({ label, list, query, of }: ExportButtonProps) {
  const { presented } = useCredential();
  const { slug } = useBrand();
  const { run, isPending, error, data } = useAction(async () => {
    const { csv, isWhole } = await of(presented);
    saveFile(`${slug}-${list}-${query.startDate ?? 'all'}.csv`, 'text/csv', csv);
    return isWhole;
  });
  return (
    <>
      {error !== null && (
        <span role="alert" className="text-xs text-bad">
          {words.failed(error.message)}
        </span>
      )}
      {data === false && (
        <span role="status" className="text-xs text-dim">
          {words.isCut}
        </span>
      )}
      <Button size="sm" tone="quiet" disabled={isPending} onClick={() => void run()}>
        <Download aria-hidden />
        {isPending ? words.isCollecting : label}
      </Button>
    </>
  );
}
