'use client';

import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import type { ChargeQuery } from '@/lib/client';
import { useId } from 'react';

interface SumTableProps {
  title: string;
  groupBy: 'resource' | 'key';
  query: ChargeQuery;
  /** Narrows everything to a group; the empty text to none. */
  onChoose: (group: string) => void;
  chosen: string;
}

const SHOWN = 12;

/** Charges summed up by what they have in common, the dearest first; choosing one narrows the page to it. */
export function SumTable({ title, groupBy, query, onChoose, chosen }: SumTableProps) {
  const id = useId();
  const sums = useChargeSums(groupBy, query);
  const most = Math.max(...(sums.data?.data.map(({ amount }) => Number(amount)) ?? []), 0);
  return (
    <section aria-labelledby={id} className="grid content-start gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {sums.data === undefined ? (
        !sums.isError && <Skeleton className="h-32" />
      ) : sums.data.data.length === 0 ? (
        <p className="rounded-md border border-dashed border-edge px-4 py-8 text-center text-sm text-dim">No charges in this period.</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {sums.data.data.slice(0, SHOWN).map(({ group, charges, amount }) => (
            <li key={group}>
              <button
                type="button"
                disabled={group === ''}
                aria-pressed={group !== '' && group === chosen}
                onClick={() => onChoose(group === chosen ? '' : group)}
                className="relative grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-3 py-2 text-left text-sm enabled:hover:bg-hover aria-pressed:bg-hover"
              >
                <span className="truncate">{nameOf(group, groupBy)}</span>
                <span className="figures text-right">{formatCost(amount)}</span>
                <span className="text-xs text-dim">
                  <span className="figures">{charges.toLocaleString('en-US')}</span> {charges === 1 ? 'charge' : 'charges'}
                </span>
                <span aria-hidden className="col-span-2 mt-1 h-1 rounded-full bg-hover">
                  <span className="block h-full rounded-full bg-amber" style={{ width: `${most === 0 ? 0 : Math.max(1, (Number(amount) / most) * 100)}%` }} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function nameOf(group: string, groupBy: 'resource' | 'key'): string {
  if (groupBy === 'resource') return group;
  return group === '' ? 'wallet sign-in' : `key ${group}`;
}
