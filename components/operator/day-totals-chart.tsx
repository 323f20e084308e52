'use client';

import { Axis, DayNames } from '@/components/billing/day-chart';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { axisTopOf } from '@/lib/browser/billing/axis-top';
import { operatorWords } from '@/lib/browser/words/operator';
import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { useState } from 'react';

type Day = BooksFigures['days'][number];

const words = operatorWords.days;
/** A sliver of what is above zero can be seen. */
const SEEN_PERCENT = 0.8;

/** Two bars a day, charged and paid in, by one scale; told apart by their outline too. */
export function DayTotalsChart({ days }: { days: readonly Day[] }) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const topUsd = axisTopOf(Math.max(...days.map(({ chargedNanoUsd, paidInNanoUsd }) => Math.max(chargedNanoUsd, paidInNanoUsd) / 1e9)));
  const heightOf = (nanoUsd: number) => `${nanoUsd === 0 ? 0 : Math.max(SEEN_PERCENT, (nanoUsd / 1e9 / topUsd) * 100)}%`;
  const pointed = pointedAt === null ? undefined : days[pointedAt];
  return (
    <div className="grid h-full grid-cols-[4.5rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_1.25rem] pt-2 pr-2 text-[0.6875rem] text-faint">
      <Axis topUsd={topUsd} />
      <div className="relative border-b border-edge bg-[linear-gradient(var(--color-line)_1px,transparent_1px)] bg-size-[100%_50%]" onPointerLeave={() => setPointedAt(null)}>
        <div className="flex h-full items-stretch">
          {days.map(({ day, chargedNanoUsd, paidInNanoUsd }, index) => (
            <div key={day} className="flex min-w-0 flex-1 items-end justify-center gap-px hover:bg-hover" onPointerEnter={() => setPointedAt(index)}>
              <span className="w-2/5 max-w-4 rounded-t-xs bg-amber" style={{ height: heightOf(chargedNanoUsd) }} />
              <span className={`w-2/5 max-w-4 rounded-t-xs bg-hover ${paidInNanoUsd === 0 ? '' : 'border border-b-0 border-dim'}`} style={{ height: heightOf(paidInNanoUsd) }} />
            </div>
          ))}
        </div>
        {pointed !== undefined && pointedAt !== null && <Tip day={pointed} place={(pointedAt + 0.5) / days.length} />}
      </div>
      <DayNames days={days} />
    </div>
  );
}

/** @param place of the day, from 0 at the left to 1 at the right: the tip stands on the side that has room */
function Tip({ day: { day, charges, chargedNanoUsd, paidInNanoUsd }, place }: { day: Day; place: number }) {
  const isLeft = place > 0.5;
  return (
    <div className="pointer-events-none absolute top-0 z-10 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap text-ink shadow-overlay" style={isLeft ? { right: `${(1 - place) * 100 + 2}%` } : { left: `${place * 100 + 2}%` }}>
      <p className="text-dim">{day}</p>
      <p>
        {words.charged} <span className="figures">{formatUsdNumber(chargedNanoUsd / 1e9)}</span>
      </p>
      <p>
        {words.paidIn} <span className="figures">{formatUsdNumber(paidInNanoUsd / 1e9)}</span>
      </p>
      <p className="figures text-dim">{operatorWords.glance.charges(charges)}</p>
    </div>
  );
}
