'use client';

import { DayPlot } from '@/components/billing/day-plot';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { formatCount, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import type { BooksFigures } from '@/lib/protocol/operator-figures';
import { useId, useState } from 'react';
import { operatorWords } from './words';
import { Summary } from '@/components/ui/summary';
import { formatDay } from '@/lib/browser/text/moments';

const words = operatorWords.days;

type Day = BooksFigures['days'][number];

export function DayTotals({ days }: { days: readonly Day[] }) {
  const id = useId();
  const [view, setView] = useState('money');
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <Tabs value={view} onValueChange={setView} className="gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id={id} className="text-lg font-semibold">
            {words.title}
          </h2>
          <TabsList aria-label={words.views} className="h-8">
            <TabsTrigger value="money">{words.money}</TabsTrigger>
            <TabsTrigger value="requests">{words.requests}</TabsTrigger>
            <TabsTrigger value="p95">{words.p95}</TabsTrigger>
          </TabsList>
        </div>
        <TabsContent value="money" className="grid gap-2">
          <MoneySums days={days} />
          {days.every(({ chargedNanoUsd, paidInNanoUsd }) => chargedNanoUsd === 0 && paidInNanoUsd === 0) ? (
            <p
              data-drawing="plot"
              className="grid h-56 place-content-center justify-items-center rounded-md bg-surface px-4 text-center text-sm text-dim"
            >
              {words.nothing}
            </p>
          ) : (
            <div aria-hidden className="h-56">
              <MoneyPlot days={days} />
            </div>
          )}
        </TabsContent>
        {(['requests', 'p95'] as const).map((name) => (
          <TabsContent key={name} value={name} className="grid gap-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm text-dim">
              {name === 'requests' ? words.allProcesses : words.p95Note}
              {name === 'requests' && (
                <span aria-hidden className="flex gap-4 text-xs">
                  <PlotSign className="bg-blue">{words.answered}</PlotSign>
                  <PlotSign className="bg-bad">{words.failed}</PlotSign>
                </span>
              )}
            </p>
            <div aria-hidden className="h-56">
              {name === 'requests' ? <RequestPlot days={days} /> : <LatencyPlot days={days} />}
            </div>
          </TabsContent>
        ))}
      </Tabs>
      <DayDetails
        summary={words.table}
        names={[
          words.day,
          words.requests,
          words.failed,
          words.p95,
          words.count,
          words.charged,
          words.paidIn,
          words.withdrawn,
        ]}
        days={days.map(({ day, traffic: said, charges, chargedNanoUsd, paidInNanoUsd, withdrawnNanoUsd }) => ({
          day,
          cells: [
            said === null ? NONE : formatCount(said.requests),
            said === null ? NONE : formatCount(said.failed),
            latencyText(said),
            formatCount(charges),
            formatUsdNumber(usdOf(chargedNanoUsd)),
            formatUsdNumber(usdOf(paidInNanoUsd)),
            formatUsdNumber(usdOf(withdrawnNanoUsd)),
          ],
        }))}
      />
    </section>
  );
}

const NONE = operatorWords.traffic.none;

const usdOf = (nanoUsd: number): number => nanoUsd / 1e9;

function latencyText(traffic: Day['traffic']): string {
  return traffic === null || traffic.p95Ms === null ? NONE : formatDuration(traffic.p95Ms);
}

function MoneySums({ days }: { days: readonly Day[] }) {
  const sumOf = (pick: (day: BooksFigures['days'][number]) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  const withdrawn = sumOf(({ withdrawnNanoUsd }) => withdrawnNanoUsd);
  const figure = 'figures text-ink';
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm text-dim">
      <span>
        <span className={figure}>{formatSum(sumOf(({ chargedNanoUsd }) => chargedNanoUsd))}</span> {words.sums.charged}{' '}
        <span className={figure}>{formatSum(sumOf(({ paidInNanoUsd }) => paidInNanoUsd))}</span>{' '}
        {words.sums.paidIn(days.length)}
        {withdrawn !== 0 && (
          <>
            , <span className={figure}>{formatSum(withdrawn)}</span> {words.sums.withdrawn}
          </>
        )}
      </span>
      <span aria-hidden className="flex gap-4 text-xs">
        <PlotSign className="bg-amber">{words.charged}</PlotSign>
        <PlotSign className="border border-dim bg-hover">{words.paidIn}</PlotSign>
      </span>
    </p>
  );
}

/** Plots charges and payments as two bars per day, which differ in outline and not only in color. */
function MoneyPlot({ days }: { days: readonly Day[] }) {
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

function RequestPlot({ days }: { days: readonly Day[] }) {
  return (
    <DayPlot
      days={days}
      topOf={({ traffic }) => traffic?.requests ?? 0}
      axisText={formatCount}
      bars={({ traffic }, heightOf) => (
        <span className="flex h-full w-3/5 max-w-6 flex-col justify-end">
          <span className="rounded-t-xs bg-bad" style={{ height: heightOf(traffic?.failed ?? 0) }} />
          <span className="bg-blue" style={{ height: heightOf((traffic?.requests ?? 0) - (traffic?.failed ?? 0)) }} />
        </span>
      )}
      tip={({ traffic }) =>
        traffic === null ? (
          <p>{words.notMeasured}</p>
        ) : (
          <>
            <p>
              {words.requests} <span className="figures">{formatCount(traffic.requests)}</span>
            </p>
            <p>
              {words.failed} <span className="figures">{formatCount(traffic.failed)}</span>
            </p>
          </>
        )
      }
    />
  );
}

function LatencyPlot({ days }: { days: readonly Day[] }) {
  return (
    <DayPlot
      days={days}
      topOf={({ traffic }) => traffic?.p95Ms ?? 0}
      axisText={(ms) => (ms === 0 ? '0' : formatDuration(ms))}
      bars={({ traffic }, heightOf) => (
        <span className="w-3/5 max-w-6 rounded-t-xs bg-blue" style={{ height: heightOf(traffic?.p95Ms ?? 0) }} />
      )}
      tip={({ traffic }) => (
        <p>
          {words.p95} <span className="figures">{latencyText(traffic)}</span>
        </p>
      )}
    />
  );
}

/**
 * Rounds $1 or more to the cent, and 1 cent or more to four decimals. Smaller amounts stay exact.
 */
export function formatSum(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  const places = Math.abs(usd) >= 1 ? 100 : Math.abs(usd) >= 0.01 ? 10_000 : 1e9;
  return formatUsdNumber(Math.round(usd * places) / places);
}

export function PlotSign({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={`size-2.5 rounded-xs ${className}`} />
      {children}
    </span>
  );
}

interface DayDetailsProps {
  summary: string;
  names: readonly string[];
  days: readonly { day: string; cells: readonly string[] }[];
}

export function DayDetails({ summary, names, days }: DayDetailsProps) {
  return (
    <details className="group text-sm">
      <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{summary}</Summary>
      <div className="overflow-x-auto">
        <table className="mt-2 w-full border-y border-line">
          <thead className="text-xs text-faint">
            <tr>
              {names.map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`py-1.5 font-normal ${index === 0 ? 'text-left' : 'pl-4 text-right'}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {days.toReversed().map(({ day, cells }) => (
              <tr key={day}>
                <th scope="row" className="figures py-1.5 text-left font-normal whitespace-nowrap">
                  <time dateTime={day}>{formatDay(day)}</time>
                </th>
                {cells.map((cell, index) => (
                  <td key={index} className="figures py-1.5 pl-4 text-right">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
