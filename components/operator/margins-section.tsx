'use client';

import { DayPlot } from '@/components/billing/day-plot';
import { paintOf } from '@/components/billing/series-paint';
import { billingWords } from '@/components/billing/words';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatCount, formatUsdNumber } from '@/lib/browser/text/amounts';
import type { CallCredential } from '@/lib/client';
import type { OperatorMargins } from '@/lib/protocol/operator-margins';
import { useId, useState } from 'react';
import { formatSum, DayDetails, PlotSign } from './day-totals';
import { Figure, OperatorSection } from './operator-section';
import {
  type Bounds,
  type MarginDay,
  marginDays,
  marginOf,
  type MarginSum,
  type ResourceSum,
  sumOf,
  sumsByResource,
  useMargins,
} from './margin-sums';
import { operatorWords } from './words';

const words = operatorWords.margins;
const ROWS_SHOWN = 12;

export function MarginsSection({ presented }: { presented: CallCredential }) {
  const { data, error, refetch } = useMargins(presented);
  return (
    <OperatorSection title={words.title} note={words.note} className="gap-4">
      {error !== null && <FailureCard isRead error={error} onRetry={() => void refetch()} />}
      {data ? (
        data.resources.length === 0 ? (
          <EmptyState drawing="plot">{words.nothing}</EmptyState>
        ) : (
          <Margins margins={data} />
        )
      ) : (
        error === null && (
          <>
            <p role="status" className="sr-only">
              {words.loading}
            </p>
            <Skeleton className="h-72 rounded-md" />
          </>
        )
      )}
    </OperatorSection>
  );
}

function Margins({ margins }: { margins: OperatorMargins }) {
  const sums = sumsByResource(margins.resources);
  const known = sums.filter(({ costNanoUsd }) => costNanoUsd !== null);
  const unknown = sumOf(sums.filter(({ costNanoUsd }) => costNanoUsd === null));
  const givenNanoUsd = sumOf(sums).givenNanoUsd;
  const isBounded = known.some(({ costNanoUsd }) => costNanoUsd !== null && costNanoUsd.least !== costNanoUsd.most);
  return (
    <>
      {known.length > 0 && <Totals sum={sumOf(known)} />}
      <MarginTable sums={sums} hasCosts={known.length > 0} />
      <ul className="grid gap-1 text-xs text-dim">
        {known.length < sums.length && (
          <li>
            {known.length === 0
              ? words.noCosts
              : words.without(formatSum(unknown.incomeNanoUsd), sums.length - known.length)}{' '}
            {words.set} <code className="figures">costs</code> {words.setWhere}
          </li>
        )}
        {isBounded && <li>{words.bounds}</li>}
        {givenNanoUsd > 0 && <li>{words.given(formatSum(givenNanoUsd))}</li>}
      </ul>
      {known.length > 0 && <ByDay margins={margins} known={known} />}
    </>
  );
}

function Totals({ sum }: { sum: MarginSum }) {
  const margin = marginOf(sum);
  return (
    <div className="grid grid-cols-3 gap-x-6 gap-y-4">
      <Figure name={words.income} note={words.withCost}>
        {formatSum(sum.incomeNanoUsd)}
      </Figure>
      <Figure name={words.cost} note={sum.costNanoUsd && isOpen(sum.costNanoUsd) ? words.atMost : ''}>
        {formatSum(sum.costNanoUsd?.most ?? 0)}
      </Figure>
      <Figure
        name={words.margin}
        note={[margin && isOpen(margin) ? words.atLeast : '', shareText(margin, sum.incomeNanoUsd)].join(' ').trim()}
      >
        {formatSum(margin?.least ?? 0)}
      </Figure>
    </div>
  );
}

const isOpen = ({ least, most }: Bounds): boolean => least !== most;

function shareText(margin: Bounds | null, incomeNanoUsd: number): string {
  return margin === null || incomeNanoUsd <= 0 ? '' : words.share(margin.least / incomeNanoUsd);
}

const HEADS = [
  { name: words.model },
  { name: words.charges, isFigure: true },
  { name: words.units, isFigure: true },
  { name: words.income, isFigure: true },
];
const COST_HEADS = [
  { name: words.cost, isFigure: true },
  { name: words.margin, isFigure: true },
];

function MarginTable({ sums, hasCosts }: { sums: readonly ResourceSum[]; hasCosts: boolean }) {
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll ? 0 : Math.max(0, sums.length - ROWS_SHOWN);
  return (
    <div className="grid justify-items-start gap-2">
      <table className="w-full border-y border-line text-sm">
        <ColumnHeads names={hasCosts ? [...HEADS, ...COST_HEADS] : HEADS} />
        <tbody className="divide-y divide-line">
          {sums.slice(0, sums.length - hidden).map((sum) => (
            <MarginRow key={sum.id} sum={sum} hasCosts={hasCosts} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button size="sm" tone="quiet" onClick={() => setShowsAll(true)}>
          {words.more(hidden)}
        </Button>
      )}
    </div>
  );
}

function MarginRow({ sum, hasCosts }: { sum: ResourceSum; hasCosts: boolean }) {
  const { product, name, unit, charges, units, incomeNanoUsd } = sum;
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:py-1.5">
      <th scope="row" className={`${CELL} text-left font-normal`}>
        <span className="flex min-w-0 items-center gap-2">
          <span
            aria-hidden
            className={`size-2.5 shrink-0 rounded-xs ${paintOf({ kind: 'named', id: name, product, tint: 0 })}`}
          />
          <span className="wrap-anywhere">{name}</span>
          <span className="text-xs whitespace-nowrap text-faint">{billingWords.products[product] ?? product}</span>
        </span>
      </th>
      <td className={`${FIGURES_CELL} text-dim max-sm:order-1 max-sm:justify-start`}>
        <CellName>{words.charges}</CellName>
        {formatCount(charges)}
      </td>
      <td className={`${FIGURES_CELL} text-dim max-sm:order-1 max-sm:justify-end`}>{words.sold(units, unit)}</td>
      <td className={`${FIGURES_CELL} max-sm:justify-end ${hasCosts ? '' : 'sm:pr-0'}`}>{formatSum(incomeNanoUsd)}</td>
      {hasCosts && <CostCells margin={marginOf(sum)} sum={sum} />}
    </tr>
  );
}

function CostCells({
  margin,
  sum: { incomeNanoUsd, costNanoUsd },
}: {
  margin: Bounds | null;
  sum: Pick<ResourceSum, 'incomeNanoUsd' | 'costNanoUsd'>;
}) {
  return (
    <>
      <td
        className={`${FIGURES_CELL} max-sm:order-1 ${costNanoUsd === null ? 'max-sm:hidden' : 'max-sm:justify-start'}`}
      >
        <CellName>{words.cost}</CellName>
        {costNanoUsd === null ? (
          <span className="font-sans text-faint">{words.none}</span>
        ) : (
          <Bound bounds={costNanoUsd} is="most" />
        )}
      </td>
      <td className={`${FIGURES_CELL} max-sm:order-1 sm:pr-0 ${margin === null ? 'max-sm:hidden' : ''}`}>
        <CellName>{words.margin}</CellName>
        {margin === null ? (
          <span aria-hidden className="text-faint">
            –
          </span>
        ) : (
          <span className={margin.least < 0 ? 'text-bad' : ''}>
            <Bound bounds={margin} is="least" />{' '}
            <span className="inline-block w-12 text-xs text-dim">{shareText(margin, incomeNanoUsd)}</span>
          </span>
        )}
      </td>
    </>
  );
}

function Bound({ bounds, is }: { bounds: Bounds; is: keyof Bounds }) {
  return (
    <>
      {isOpen(bounds) && <span className="text-xs text-dim">{is === 'most' ? words.atMost : words.atLeast} </span>}
      {formatSum(bounds[is])}
    </>
  );
}

const ALL = '';

function ByDay({ margins, known }: { margins: OperatorMargins; known: readonly ResourceSum[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(ALL);
  const shown = known.filter((sum) => chosen === ALL || sum.id === chosen);
  const days = marginDays(
    margins.resources.filter(({ product, name }) => shown.some((sum) => sum.id === `${product}/${name}`)),
    margins.days,
  );
  return (
    <figure className="grid gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-xs text-dim">
        <span className="flex items-center gap-2">
          <label htmlFor={id} className="whitespace-nowrap">
            {words.shown}
          </label>
          <Select
            id={id}
            value={chosen}
            onChange={setChosen}
            options={[{ value: ALL, label: words.all }, ...known.map((sum) => ({ value: sum.id, label: sum.name }))]}
            className="w-56"
          />
        </span>
        <span aria-hidden className="flex gap-4">
          <PlotSign className="bg-amber">{words.income}</PlotSign>
          <PlotSign className="border border-dim bg-hover">{words.cost}</PlotSign>
        </span>
      </figcaption>
      <div aria-hidden className="h-48">
        <MarginPlot days={days} />
      </div>
      <DayDetails
        summary={words.table}
        names={[words.day, words.income, words.cost, words.margin]}
        days={days.map((day) => ({
          day: day.day,
          cells: [
            formatUsdNumber(day.incomeNanoUsd / 1e9),
            formatUsdNumber((day.costNanoUsd?.most ?? 0) / 1e9),
            formatUsdNumber((marginOf(day)?.least ?? 0) / 1e9),
          ],
        }))}
      />
    </figure>
  );
}

const usdOf = (nanoUsd: number): number => Math.max(0, nanoUsd / 1e9);

function MarginPlot({ days }: { days: readonly MarginDay[] }) {
  return (
    <DayPlot
      days={days}
      topOf={({ incomeNanoUsd, costNanoUsd }) => usdOf(Math.max(incomeNanoUsd, costNanoUsd?.most ?? 0))}
      bars={({ incomeNanoUsd, costNanoUsd }, heightOf) => (
        <>
          <span className="w-2/5 max-w-4 rounded-t-xs bg-amber" style={{ height: heightOf(usdOf(incomeNanoUsd)) }} />
          <span
            className={`w-2/5 max-w-4 rounded-t-xs bg-hover ${costNanoUsd?.most ? 'border border-b-0 border-dim' : ''}`}
            style={{ height: heightOf(usdOf(costNanoUsd?.most ?? 0)) }}
          />
        </>
      )}
      tip={(day) => (
        <>
          <p>
            {words.income} <span className="figures">{formatUsdNumber(day.incomeNanoUsd / 1e9)}</span>
          </p>
          <p>
            {words.cost} <span className="figures">{formatUsdNumber((day.costNanoUsd?.most ?? 0) / 1e9)}</span>
          </p>
          <p className="text-dim">
            {words.margin} <span className="figures">{formatUsdNumber((marginOf(day)?.least ?? 0) / 1e9)}</span>
          </p>
        </>
      )}
    />
  );
}
