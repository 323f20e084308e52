'use client';

import { formatCount } from '@/lib/browser/amounts';
import { useDollarBuys, wholeUnits } from '@/lib/browser/dollar-buys';

export function MoneyBuys({ usd, title }: { usd: number; title: string }) {
  const rows = useDollarBuys();
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <p className="text-xs text-faint">{title}</p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        {rows.map(({ what, perDollar, unit }) => (
          <div key={what} className="min-w-0">
            <dt className="text-xs text-faint">{what}</dt>
            <dd className="figures truncate">
              {perDollar === null ? '–' : `${formatCount(wholeUnits(perDollar, usd))} ${unit}`}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
