'use client';

import { formatUsdNumber } from '@/lib/browser/amounts';
import type { StackedDay } from '@/lib/browser/billing/stacked-days';
import { formatDay } from '@/lib/browser/moments';
import { billingWords as words } from '@/lib/browser/words/billing';

/** Spending by day as a table, a column for each part of the plot. Days without charges are left out. */
export function StackTable({ names, days }: { names: readonly string[]; days: readonly StackedDay[] }) {
  const heads = [...names, words.stack.total];
  return (
    <div tabIndex={0} role="group" aria-label={words.stack.table} className="mt-2 overflow-x-auto border-y border-line">
      <table className="w-full">
        <thead className="text-xs text-faint">
          <tr>
            <th scope="col" className="py-1.5 text-left font-normal">
              {words.stack.day}
            </th>
            {heads.map((name) => (
              <th key={name} scope="col" className="py-1.5 pl-4 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days
            .filter(({ charges }) => charges > 0)
            .toReversed()
            .map(({ day, usd, parts }) => (
              <tr key={day}>
                <th scope="row" className="figures py-1.5 text-left font-normal whitespace-nowrap">
                  <time dateTime={day}>{formatDay(day)}</time>
                </th>
                {[...parts, usd].map((amount, index) => (
                  <td key={heads[index]} className="figures py-1.5 pl-4 text-right whitespace-nowrap">
                    {formatUsdNumber(amount)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
