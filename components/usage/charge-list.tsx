'use client';

import { FailureCard } from '@/components/recovery/failure-card';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import { keyNameText } from '@/lib/browser/billing/key-name';
import { usageHref } from '@/lib/browser/billing/usage-view';
import { useCharges } from '@/lib/browser/billing/use-charges';
import { formatDateTime } from '@/lib/browser/moments';
import { chargesWords } from '@/lib/browser/words/charges';
import type { Charge, ChargeQuery, Currency } from '@/lib/client';
import type { MouseEvent } from 'react';

const words = chargesWords.charges;

interface ChargeListProps {
  query: ChargeQuery;
  /** Whether the query is for one request. */
  isOfRequest?: boolean;
  onChooseRequest: (request: string) => void;
}

/** Single charges with the ids of their requests, newest first, a page at a time. */
export function ChargeList({ query, isOfRequest = false, onChooseRequest }: ChargeListProps) {
  const { charges, isPending, error, hasOlder, isReadingOlder, readOlder, refetch } = useCharges(query);
  return (
    <section aria-label={words.title} className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-xs text-dim">{words.note}</p>
      </div>
      {isPending && <Skeleton className="h-48" />}
      {!isPending && error === null && charges.length === 0 && (
        <p role="status" className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          {isOfRequest ? words.notFound : words.empty}
        </p>
      )}
      {charges.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {charges.map((charge) => (
            <ChargeRow key={charge.requestId + charge.timestamp} charge={charge} onChooseRequest={onChooseRequest} />
          ))}
        </ul>
      )}
      {error !== null && (
        <FailureCard isRead error={error} onRetry={() => void (charges.length > 0 ? readOlder() : refetch())} />
      )}
      {hasOlder && error === null && (
        <Button className="justify-self-center" disabled={isReadingOlder} onClick={readOlder}>
          {isReadingOlder ? words.isLoading : words.older}
        </Button>
      )}
    </section>
  );
}

function ChargeRow({
  charge: { timestamp, resource, detail, units, amount, pots, apiKey, requestId },
  onChooseRequest,
}: {
  charge: Charge;
  onChooseRequest: (request: string) => void;
}) {
  return (
    <li className="grid gap-y-0.5 px-3 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {resource} <span className="figures text-xs text-dim">{detail}</span>
        </span>
        <span className="figures shrink-0">{formatCost(amount)}</span>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-dim">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <time dateTime={timestamp}>{formatDateTime(Date.parse(timestamp))}</time>
          <span className="wrap-anywhere">{apiKey === null ? words.wallet : keyNameText(apiKey)}</span>
        </span>
        <span className="flex items-center gap-1.5">
          <span className="figures">
            {words.units(units, words.unitOf[resource.split('/', 1)[0] ?? ''] ?? words.anyUnit)}
          </span>
          {Object.keys(pots).map((pot) => (
            <Badge key={pot}>{words.pots[pot as Currency]}</Badge>
          ))}
        </span>
      </div>
      <RequestId requestId={requestId} onChoose={onChooseRequest} />
    </li>
  );
}

/** The id of a request, whole: a link to its charge alone, to be shared, and a button that copies it. */
function RequestId({ requestId, onChoose }: { requestId: string; onChoose: (request: string) => void }) {
  const choose = (event: MouseEvent) => {
    // In a new tab the link is a link.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(requestId);
  };
  return (
    <span className="-mb-1 flex min-w-0 items-center text-xs">
      <a
        href={usageHref({ request: requestId })}
        onClick={choose}
        className="figures min-w-0 truncate text-faint underline-offset-4 hover:text-ink hover:underline"
      >
        {requestId}
      </a>
      <CopyButton text={requestId} label={words.copyId(requestId)} iconOnly className="size-6 pointer-coarse:size-8" />
    </span>
  );
}
