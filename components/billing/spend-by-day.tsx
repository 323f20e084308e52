'use client';

import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import { daysOf } from '@/lib/browser/billing/days';
import type { ChargeSums } from '@/lib/client';
import dynamic from 'next/dynamic';

const DayChart = dynamic(() => import('./day-chart').then((module) => module.DayChart), { ssr: false, loading: () => <Skeleton className="h-full" /> });

/**
 * A chart of charges by day with its sum in words, which is what screen readers get.
 * @param isFiltered whether these are some of the charges only; what was given back is not told apart by what is filtered
 */
export function SpendByDay({ sums, isFiltered = false, className = 'h-56' }: { sums: ChargeSums; isFiltered?: boolean; className?: string }) {
  const days = daysOf(sums);
  return (
    <figure className="grid gap-2">
      <figcaption className="text-sm text-dim">
        <span className="figures text-ink">{formatCost(sums.totals.amount)}</span> for <span className="figures text-ink">{sums.totals.charges.toLocaleString('en-US')}</span> {sums.totals.charges === 1 ? 'charge' : 'charges'} in {days.length} {days.length === 1 ? 'day' : 'days'}
        {!isFiltered && Number(sums.totals.refunded) > 0 && (
          <>
            {' '}
            · <span className="figures text-ink">{formatCost(sums.totals.refunded)}</span> given back for videos that failed
          </>
        )}
      </figcaption>
      {sums.totals.charges === 0 ? (
        <p className={`grid place-items-center rounded-md border border-dashed border-edge px-4 text-center text-sm text-dim ${className}`}>Nothing was charged in this period.</p>
      ) : (
        <div aria-hidden className={className}>
          <DayChart days={days} />
        </div>
      )}
    </figure>
  );
}
