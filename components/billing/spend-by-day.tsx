'use client';

import { onDemand } from '@/components/ui/on-demand';
import { formatCost, formatCount } from '@/lib/browser/amounts';
import { daysOf } from '@/lib/browser/billing/days';
import type { ChargeSums } from '@/lib/client';
import { billingWords as words } from '@/lib/browser/words/billing';

const DayChart = onDemand(() => import('./day-chart').then((module) => module.DayChart));

/**
 * Shows charges by day as a chart, with the sum as text for screen readers.
 * @param isFiltered whether filters apply; the chart then cannot separate refunds
 */
export function SpendByDay({
  sums,
  isFiltered = false,
  className = 'h-56',
}: {
  sums: ChargeSums;
  isFiltered?: boolean;
  className?: string;
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
        <p
          className={`grid place-items-center rounded-md border border-dashed border-edge px-4 text-center text-sm text-dim ${className}`}
        >
          {words.nothingCharged}
        </p>
      ) : (
        <div aria-hidden className={className}>
          <DayChart days={days} />
        </div>
      )}
    </figure>
  );
}
