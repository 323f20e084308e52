'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCount } from '@/lib/browser/amounts';
import { daysOf } from '@/lib/browser/billing/days';
import type { ChargeQuery, ChargeSums } from '@/lib/client';
import { billingWords as words } from '@/lib/browser/words/billing';

const StackedSpend = onDemand(() => import('./stacked-spend').then((module) => module.StackedSpend), {
  waiting: <Skeleton className="h-72 pointer-coarse:h-75" />,
});

/**
 * Shows charges by day as a chart, with the sum as text.
 * @param isFiltered whether filters apply; the chart then cannot separate refunds
 */
export function SpendByDay({
  sums,
  query,
  isFiltered,
  onChoose,
}: {
  sums: ChargeSums;
  query: ChargeQuery;
  isFiltered: boolean;
  onChoose: (resource: string) => void;
}) {
  const days = daysOf(sums);
  return (
    <figure className="grid gap-2">
      <figcaption className="text-sm text-dim">
        <span className="figures text-ink">{formatCost(sums.totals.amount)}</span> {words.spentFor}{' '}
        <span className="figures text-ink">{formatCount(sums.totals.charges)}</span>{' '}
        {words.spentIn(sums.totals.charges, days.length)}
        {!isFiltered && Number(sums.totals.refunded) > 0 && (
          <>
            {' '}
            · <span className="figures text-ink">{formatCost(sums.totals.refunded)}</span> {words.givenBack}
          </>
        )}
      </figcaption>
      {sums.totals.charges === 0 ? (
        <p className="grid h-56 place-items-center rounded-md border border-dashed border-edge px-4 text-center text-sm text-dim">
          {words.nothingCharged}
        </p>
      ) : (
        <StackedSpend sums={sums} query={query} onChoose={onChoose} />
      )}
    </figure>
  );
}
