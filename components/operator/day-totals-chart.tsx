'use client';

import { DayPlot } from '@/components/billing/day-plot';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { operatorWords } from '@/lib/browser/words/operator';
import type { BooksFigures } from '@/lib/protocol/operator-figures';

const words = operatorWords.days;
const usdOf = (nanoUsd: number): number => nanoUsd / 1e9;

/** Shows two bars per day, charged and paid in, on one scale. Their outlines differ, not only their colors. */
export function DayTotalsChart({ days }: { days: BooksFigures['days'] }) {
  return (
    <DayPlot
      days={days}
      topOf={({ chargedNanoUsd, paidInNanoUsd }) => usdOf(Math.max(chargedNanoUsd, paidInNanoUsd))}
      bars={({ chargedNanoUsd, paidInNanoUsd }, heightOf) => (
        <>
          <span className="w-2/5 max-w-4 rounded-t-xs bg-amber" style={{ height: heightOf(usdOf(chargedNanoUsd)) }} />
          <span
            className={`w-2/5 max-w-4 rounded-t-xs bg-hover ${paidInNanoUsd === 0 ? '' : 'border border-b-0 border-dim'}`}
            style={{ height: heightOf(usdOf(paidInNanoUsd)) }}
          />
        </>
      )}
      tip={({ charges, chargedNanoUsd, paidInNanoUsd }) => (
        <>
          <p>
            {words.charged} <span className="figures">{formatUsdNumber(usdOf(chargedNanoUsd))}</span>
          </p>
          <p>
            {words.paidIn} <span className="figures">{formatUsdNumber(usdOf(paidInNanoUsd))}</span>
          </p>
          <p className="figures text-dim">{operatorWords.glance.charges(charges)}</p>
        </>
      )}
    />
  );
}
