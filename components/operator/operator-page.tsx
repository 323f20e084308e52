'use client';

import { useBrand } from '@/lib/browser/brand';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatMoment } from '@/lib/browser/moments';
import { mergedRefusals } from '@/lib/browser/operator/merged-refusals';
import { forgetOperatorKey } from '@/lib/browser/operator/operator-key';
import type { OperatorView } from '@/lib/browser/operator/use-operator';
import { operatorWords as words } from '@/lib/browser/words/operator';
import { KeyRound, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { BooksGlance } from './books-glance';
import { DayTotals } from './day-totals';
import { GatewayTable } from './gateway-table';
import { OpenPayments } from './open-payments';
import { RefusalList } from './refusal-list';
import { TrafficGlance } from './traffic-glance';
import { UpstreamSection } from './upstream-section';

export function OperatorPage({ view }: { view: Extract<OperatorView, { kind: 'operator' }> }) {
  const { figures, error } = view;
  const { gateways, books } = figures;
  const answered = gateways.flatMap(({ pid, figures: said }) => (said === null ? [] : [{ pid, ...said }]));
  useTitle();
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <PageHead view={view} />
      {error !== null && (
        <Notice tone="warn" title={words.outOfDate}>
          {error.message}
        </Notice>
      )}
      <TrafficGlance gateways={answered} days={books.days} />
      <BooksGlance books={books} />
      <DayTotals days={books.days} />
      <GatewayTable gateways={gateways} />
      <div className="grid gap-8 lg:grid-cols-2">
        <RefusalList refusals={mergedRefusals(answered)} />
        <OpenPayments payments={books.openPayments} />
      </div>
      <UpstreamSection gateways={answered} />
    </div>
  );
}

function PageHead({ view: { updatedAtMs, refresh, isByKey } }: { view: Extract<OperatorView, { kind: 'operator' }> }) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
      <div className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-dim">{words.intro}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-faint">
        <span>
          {words.asOf} <span className="figures">{formatMoment(updatedAtMs)}</span>
          {words.readAgain}
        </span>
        <Button size="sm" tone="quiet" onClick={refresh}>
          <RotateCw aria-hidden />
          {words.refresh}
        </Button>
        {isByKey && (
          <Button size="sm" tone="quiet" onClick={forgetOperatorKey}>
            <KeyRound aria-hidden />
            {words.forgetKey}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Sets the title, because the server sends the title of a missing page. */
function useTitle(): void {
  const { name } = useBrand();
  useEffect(() => {
    const before = document.title;
    document.title = `${words.title} · ${name}`;
    return () => {
      document.title = before;
    };
  }, [name]);
}
