'use client';

import { DayPlot } from '@/components/billing/day-plot';
import { Summary } from '@/components/ui/summary';
import { formatCount, formatUsdNumber } from '@/lib/browser/text/amounts';
import { formatDay } from '@/lib/browser/text/moments';
import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { useId } from 'react';
import { operatorWords } from './words';

const words = operatorWords.days;

export function DayTotals({ days }: { days: BooksFigures['days'] }) {
  const id = useId();
  const sumOf = (pick: (day: BooksFigures['days'][number]) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  const charged = sumOf(({ chargedNanoUsd }) => chargedNanoUsd);
  const paidIn = sumOf(({ paidInNanoUsd }) => paidInNanoUsd);
  const withdrawn = sumOf(({ withdrawnNanoUsd }) => withdrawnNanoUsd);
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {words.title}
      </h2>
      <figure className="grid gap-2">
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm text-dim">
          <span>
            <span className="figures text-ink">{formatSum(charged)}</span> {words.sums.charged}{' '}
            <span className="figures text-ink">{formatSum(paidIn)}</span> {words.sums.paidIn(days.length)}
            {withdrawn !== 0 && (
              <>
                , <span className="figures text-ink">{formatSum(withdrawn)}</span> {words.sums.withdrawn}
              </>
            )}
          </span>
          <span aria-hidden className="flex gap-4 text-xs">
            <Sign className="bg-amber">{words.charged}</Sign>
            <Sign className="border border-dim bg-hover">{words.paidIn}</Sign>
          </span>
        </figcaption>
        {charged === 0 && paidIn === 0 ? (
          <p
            data-drawing="plot"
            className="grid h-56 place-content-center justify-items-center rounded-md bg-surface px-4 text-center text-sm text-dim"
          >
            {words.nothing}
          </p>
        ) : (
          <div aria-hidden className="h-56">
            <DayTotalsChart days={days} />
          </div>
        )}
      </figure>
      <details className="group text-sm">
        <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{words.table}</Summary>
        <DayTable days={days} />
      </details>
    </section>
  );
}

function Sign({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-xs ${className}`} />
      {children}
    </span>
  );
}

function DayTable({ days }: { days: BooksFigures['days'] }) {
  return (
    <table className="mt-2 w-full border-y border-line">
      <thead className="text-xs text-faint">
        <tr>
          <th scope="col" className="py-1.5 text-left font-normal">
            {words.day}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            {words.count}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            {words.charged}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            {words.paidIn}
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            {words.withdrawn}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {[...days].reverse().map(({ day, charges, chargedNanoUsd, paidInNanoUsd, withdrawnNanoUsd }) => (
          <tr key={day}>
            <th scope="row" className="figures py-1.5 text-left font-normal whitespace-nowrap">
              <time dateTime={day}>{formatDay(day)}</time>
            </th>
            <td className="figures py-1.5 pl-4 text-right text-dim">{formatCount(charges)}</td>
            <td className="figures py-1.5 pl-4 text-right wrap-anywhere">{formatUsdNumber(chargedNanoUsd / 1e9)}</td>
            <td className="figures py-1.5 pl-4 text-right wrap-anywhere">{formatUsdNumber(paidInNanoUsd / 1e9)}</td>
            <td className="figures py-1.5 pl-4 text-right wrap-anywhere">{formatUsdNumber(withdrawnNanoUsd / 1e9)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const usdOf = (nanoUsd: number): number => nanoUsd / 1e9;

/** Shows two bars per day, charged and paid in, on one scale. They differ in outline, not only in color. */
function DayTotalsChart({ days }: { days: BooksFigures['days'] }) {
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

/** Formats a sum for an overview: rounded to the cent if at least one dollar, else exact. Tables show all digits. */
export function formatSum(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return formatUsdNumber(usd >= 1 ? Math.round(usd * 100) / 100 : usd);
}
