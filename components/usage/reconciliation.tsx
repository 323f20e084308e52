'use client';

import { CsvButton } from '@/components/billing/csv-button';
import { Notice } from '@/components/ui/notice';
import { formatCost } from '@/lib/browser/amounts';
import { useBrand } from '@/lib/browser/brand';
import { chargesWords } from '@/lib/browser/words/charges';
import type { ChargeSums, Currency, PotMovement } from '@/lib/client';
import { CircleCheck } from 'lucide-react';

const words = chargesWords.pots;

const CELL = 'whitespace-nowrap sm:px-3 sm:py-2';

/** Shows how each balance changed over the period, and whether the changes add up. */
export function Reconciliation({ sums, isFiltered }: { sums: ChargeSums; isFiltered: boolean }) {
  const { slug } = useBrand();
  const { totals } = sums;
  const columns = Object.entries(words.columns) as [keyof PotMovement, string][];
  const pots = Object.entries(totals.pots) as [Currency, PotMovement][];
  if (pots.length === 0) return null;
  return (
    <section aria-label={words.label} className="grid gap-3">
      {totals.reconciles ? (
        <div className="flex items-start gap-2 text-sm">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
          <p className="flex-1">
            {words.adds}
            {isFiltered && <span className="text-dim">{words.countsAll}</span>}
          </p>
          <CsvButton
            label={chargesWords.csvOf(words.tableLabel)}
            fileName={`${slug}-balances-${sums.startDate.slice(0, 10)}.csv`}
            csv={async () => (await import('@/lib/browser/billing/sums-csv')).potsCsv(sums)}
          >
            {chargesWords.csv}
          </CsvButton>
        </div>
      ) : (
        <Notice tone="bad" title={words.doesNotAdd}>
          {words.tellOperator}
        </Notice>
      )}
      <div
        className="overflow-x-auto rounded-md border border-line"
        tabIndex={0}
        role="group"
        aria-label={words.tableLabel}
      >
        <table className="w-full text-sm">
          <thead className="max-sm:sr-only">
            <tr className="border-b border-line text-left text-xs text-faint">
              <th scope="col" className="px-3 py-2 font-normal">
                {words.pot}
              </th>
              {columns.map(([column, name]) => (
                <th key={column} scope="col" className="px-3 py-2 text-right font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {pots.map(([currency, movement]) => (
              <tr key={currency} className="max-sm:grid max-sm:gap-1 max-sm:px-3 max-sm:py-2">
                <th scope="row" className={`${CELL} text-left font-normal max-sm:font-medium`}>
                  {words.names[currency]}
                </th>
                {columns.map(([column, name]) => (
                  <td
                    key={column}
                    className={`${CELL} figures text-right max-sm:flex max-sm:justify-between max-sm:gap-4`}
                  >
                    {/* Wide screens have these in the table head. */}
                    <span aria-hidden className="font-sans text-dim sm:hidden">
                      {name}
                    </span>
                    {formatCost(movement[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
