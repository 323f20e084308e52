'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { formatUsdNumber } from '@/lib/browser/amounts';
import type { Series } from '@/lib/browser/billing/stacked-days';
import { useStackedDays } from '@/lib/browser/billing/use-usage';
import { billingWords as words } from '@/lib/browser/words/billing';
import type { ChargeQuery, ChargeSums } from '@/lib/client';
import { useState } from 'react';
import { DayPlot } from './day-plot';

const StackTable = onDemand(() => import('./stack-table').then((module) => module.StackTable), {
  waiting: <Skeleton className="mt-2 h-24" />,
});

interface StackedSpendProps {
  sums: ChargeSums;
  query: ChargeQuery;
  /** An empty string removes the filter. */
  onChoose: (resource: string) => void;
}

const COLOURS: Record<string, string> = {
  rpc: 'bg-blue',
  chat: 'bg-violet',
  speech: 'bg-teal',
  video: 'bg-rose',
  images: 'bg-amber',
  embeddings: 'bg-good',
};
/** Opacity of the first, second and further series of a product. */
const TINTS = ['', 'opacity-65', 'opacity-40'];

function paintOf({ product, tint }: Series): string {
  return `${COLOURS[product] ?? 'bg-edge'} ${TINTS[Math.min(tint, TINTS.length - 1)] ?? ''}`;
}

/** Plots spending by day, stacked by resource, with a legend that filters and a table. */
export function StackedSpend({ sums, query, onChoose }: StackedSpendProps) {
  const { series, days } = useStackedDays(sums, query);
  const [hasTable, setHasTable] = useState(false);
  return (
    <>
      <div aria-hidden className="h-56">
        <DayPlot
          days={days}
          topUsdOf={({ usd }) => usd}
          bars={({ parts }, heightOf) => (
            <span className="flex h-full w-3/4 max-w-7 flex-col-reverse overflow-hidden">
              {parts.map((usd, index) =>
                usd === 0 ? null : (
                  <span
                    key={index}
                    className="shrink-0 border-t border-ground bg-ground"
                    style={{ height: heightOf(usd) }}
                  >
                    <span className={`block h-full ${paintOf(series[index] as Series)}`} />
                  </span>
                ),
              )}
            </span>
          )}
          tip={({ usd, charges, parts }) => (
            <>
              <p className="figures">{formatUsdNumber(usd)}</p>
              {parts.map((part, index) =>
                part === 0 ? null : (
                  <p key={index} className="flex items-center gap-1.5">
                    <Sign series={series[index] as Series} />
                    {nameOf(series[index] as Series)}{' '}
                    <span className="figures ml-auto pl-3">{formatUsdNumber(part)}</span>
                  </p>
                ),
              )}
              <p className="figures text-dim">{words.charges(charges)}</p>
            </>
          )}
        />
      </div>
      <Legend series={series} chosen={query.resource ?? ''} onChoose={onChoose} />
      <details className="group text-sm" onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{words.stack.table}</Summary>
        {hasTable && <StackTable names={series.map(nameOf)} days={days} />}
      </details>
    </>
  );
}

function nameOf({ resource }: Series): string {
  return resource ?? words.stack.others;
}

function Sign({ series }: { series: Series }) {
  return <span aria-hidden className={`size-2.5 shrink-0 rounded-xs ${paintOf(series)}`} />;
}

function Legend({
  series,
  chosen,
  onChoose,
}: {
  series: readonly Series[];
  chosen: string;
  onChoose: (resource: string) => void;
}) {
  return (
    <ul aria-label={words.stack.legend} className="flex min-h-7 gap-x-1 overflow-x-auto pointer-coarse:min-h-10">
      {series.map((each) => (
        <li key={nameOf(each)} className="shrink-0">
          {each.resource === null ? (
            <span className="flex h-7 items-center gap-1.5 px-2 text-xs text-dim pointer-coarse:h-10">
              <Sign series={each} />
              {nameOf(each)}
            </span>
          ) : (
            <Button
              size="sm"
              tone="quiet"
              aria-pressed={each.resource === chosen}
              className="max-w-56 gap-1.5 text-xs aria-pressed:bg-hover aria-pressed:text-ink"
              onClick={() => onChoose(each.resource === chosen ? '' : (each.resource as string))}
            >
              <Sign series={each} />
              <span className="truncate">{each.resource}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
