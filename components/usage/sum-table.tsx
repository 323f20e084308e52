'use client';

import { useBrand } from '@/lib/browser/brand';
import { CsvButton } from '@/components/billing/csv-button';
import { FailureCard } from '@/components/recovery/failure-card';
import { HeldButton } from '@/components/ui/held-button';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { chargesWords } from '@/lib/browser/words/charges';
import { usageWords } from '@/lib/browser/words/usage';
import type { ChargeQuery, ChargeSum } from '@/lib/client';
import { useId } from 'react';

interface SumTableProps {
  title: string;
  groupBy: 'resource' | 'key';
  query: ChargeQuery;
  /** An empty string removes the filter. */
  onChoose: (group: string) => void;
  chosen: string;
}

const SHOWN = 12;

const words = chargesWords.sums;

/** Shows sums of charges by group, most expensive first. Choosing a group filters the page. */
export function SumTable({ title, groupBy, query, onChoose, chosen }: SumTableProps) {
  const id = useId();
  const { slug } = useBrand();
  const sums = useChargeSums(groupBy, query);
  const groups = sums.data?.data ?? [];
  const most = Math.max(...groups.map(({ amount }) => Number(amount)), 0);
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {groups.length > 0 && (
          <CsvButton
            label={chargesWords.csvOf(title)}
            fileName={`${slug}-by-${groupBy}-${query.startDate ?? 'all'}.csv`}
            csv={async () => (await import('@/lib/browser/billing/sums-csv')).sumsCsv(groupBy, groups)}
          >
            {chargesWords.csv}
          </CsvButton>
        )}
      </div>
      {sums.isError && <FailureCard isRead error={sums.error} onRetry={() => void sums.refetch()} />}
      {sums.data === undefined && !sums.isError && <Skeleton className="h-32" />}
      {sums.data !== undefined && groups.length === 0 && (
        <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">
          {words.empty}
        </p>
      )}
      {groups.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {groups.slice(0, SHOWN).map((sum) => {
            const name = nameOf(sum, groupBy);
            const isChosen = sum.group !== '' && sum.group === chosen;
            return (
              <li key={sum.group}>
                <SumRow
                  sum={sum}
                  name={name}
                  share={most === 0 ? 0 : Number(sum.amount) / most}
                  isChosen={isChosen}
                  onChoose={() => onChoose(isChosen ? '' : sum.group)}
                />
              </li>
            );
          })}
        </ul>
      )}
      {groups.length > SHOWN && <p className="text-xs text-dim">{words.onlySome(SHOWN, groups.length)}</p>}
    </section>
  );
}

interface SumRowProps {
  sum: ChargeSum;
  name: string;
  /** Amount relative to the most expensive group, 0 to 1. */
  share: number;
  isChosen: boolean;
  onChoose: () => void;
}

function SumRow({ sum: { group, charges, amount }, name, share, isChosen, onChoose }: SumRowProps) {
  return (
    <HeldButton
      disabled={group === ''}
      aria-pressed={isChosen}
      onClick={onChoose}
      className="relative grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 text-left text-sm enabled:not-aria-disabled:hover:bg-hover aria-pressed:bg-hover"
    >
      <span className="truncate" title={name}>
        {name}
      </span>
      <span className="figures text-right">{formatCost(amount)}</span>
      <span className="figures text-xs text-dim">{words.charges(charges)}</span>
      <span aria-hidden className="col-span-2 mt-1 h-1 rounded-full bg-hover">
        <span
          className="block h-full rounded-full bg-amber"
          style={{ width: `${share === 0 ? 0 : Math.max(1, share * 100)}%` }}
        />
      </span>
    </HeldButton>
  );
}

function nameOf({ group, apiKey }: ChargeSum, groupBy: 'resource' | 'key'): string {
  if (groupBy === 'resource') return group;
  return group === '' ? words.wallet : usageWords.filters.key(apiKey, group);
}
