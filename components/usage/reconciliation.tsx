'use client';

import { CsvButton } from '@/components/billing/csv-button';
import { Summary } from '@/components/ui/summary';
import { formatCost } from '@/lib/browser/text/amounts';
import { useBrand } from '@/lib/browser/reads/settings';
import { chargesWords } from './charge-words';
import { formatNanoUsd, movementTerms, nanoUsd } from './movement-terms';
import type { ChargeSums, Currency, PotMovement } from '@/lib/client';
import { CircleCheck, CircleX } from 'lucide-react';

const words = chargesWords.pots;

const CELL = 'whitespace-nowrap sm:px-3 sm:py-2';

/** Shows in one line whether the period's charges add up to the balances, and each balance on demand. */
export function Reconciliation({ sums }: { sums: ChargeSums }) {
  const { slug } = useBrand();
  const { totals } = sums;
  const pots = Object.entries(totals.pots).map(
    ([currency, movement]) => [currency as Currency, movementTerms(movement)] as const,
  );
  if (pots.length === 0) return null;
  const isZero = (column: keyof PotMovement): boolean => pots.every(([, movement]) => Number(movement[column]) === 0);
  const columns = (Object.entries(words.columns) as [keyof PotMovement, string][]).filter(
    ([column]) => column !== 'withdrawn' || !isZero(column),
  );
  const sumOf = (column: keyof PotMovement): string =>
    formatNanoUsd(pots.reduce((sum, [, movement]) => sum + nanoUsd(movement[column]), 0n));
  return (
    <section aria-label={words.label}>
      <details className="group text-sm">
        <Summary className="w-fit max-w-full cursor-pointer rounded-sm text-dim hover:text-ink">
          {totals.reconciles ? (
            <>
              <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
              <span>
                {words.adds} <span className="figures sm:hidden">{sumOf('closing')}</span>
                <span className="figures max-sm:hidden">
                  {words.sum({
                    opening: sumOf('opening'),
                    credited: sumOf('credited'),
                    withdrawn: isZero('withdrawn') ? null : sumOf('withdrawn'),
                    charged: sumOf('charged'),
                    expired: isZero('expired') ? null : sumOf('expired'),
                    closing: sumOf('closing'),
                  })}
                </span>
              </span>
            </>
          ) : (
            <>
              <CircleX aria-hidden className="size-4 shrink-0 text-bad" />
              <span className="text-bad">
                {words.doesNotAdd} {words.tellOperator}
              </span>
            </>
          )}
        </Summary>
        <div className="mt-2 grid justify-items-end gap-2">
          <div
            className="w-full overflow-x-auto border-y border-line"
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
          <CsvButton
            label={chargesWords.csvOf(words.tableLabel)}
            fileName={`${slug}-balances-${sums.startDate.slice(0, 10)}.csv`}
            csv={async () => (await import('./sums-csv')).potsCsv(sums)}
          >
            {chargesWords.csv}
          </CsvButton>
        </div>
      </details>
    </section>
  );
}
