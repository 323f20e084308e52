'use client';

import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import type { Bucket } from '@/components/billing/stacked-sums';
import { usageWords } from './words';
import { useState } from 'react';
import { DayPlot } from '@/components/billing/day-plot';

const words = usageWords.plot;

const StackTable = onDemand(() => import('./stack-table').then((module) => module.StackTable), {
  waiting: <Skeleton className="mt-2 h-24" />,
});

export interface PlottedSeries {
  label: string;
  paint: string;
}

export interface StackedPlotProps {
  series: readonly PlottedSeries[];
  buckets: readonly Bucket[];
  isByHour: boolean;
  nameOf: (start: string) => string;
  format: (value: number) => string;
  axisText?: (value: number) => string;
  countText: (count: number) => string;
  /** Numbers for the tooltip and the table, if they differ from the bar's parts. */
  shownOf?: (bucket: Bucket) => readonly number[];
  /** Name of the sum of all parts; null if the parts cannot be added. */
  totalName: string | null;
  onChoose?: ((start: string) => void) | undefined;
}

/** Plots values by hour or day, stacked, with a table of the same values. */
export function StackedPlot(props: StackedPlotProps) {
  const { series, buckets, nameOf, format, axisText = format, countText, onChoose } = props;
  const { shownOf = ({ parts }) => parts, totalName } = props;
  const [hasTable, setHasTable] = useState(false);
  const days = buckets.map((bucket) => ({ ...bucket, day: bucket.start }));
  return (
    <>
      <div aria-hidden className="h-56 xl:h-72">
        <DayPlot
          days={days}
          nameOf={nameOf}
          axisText={axisText}
          onChoose={onChoose}
          topOf={({ value }) => value}
          bars={({ parts }, heightOf) => (
            <span className="flex h-full w-3/4 max-w-7 flex-col-reverse overflow-hidden">
              {parts.map((value, index) =>
                value === 0 ? null : (
                  <span
                    key={index}
                    className="shrink-0 border-t border-ground bg-ground"
                    style={{ height: heightOf(value) }}
                  >
                    <span className={`block h-full ${series[index]?.paint ?? ''}`} />
                  </span>
                ),
              )}
            </span>
          )}
          tip={(bucket) => (
            <>
              {totalName !== null && <p className="figures">{format(bucket.value)}</p>}
              {shownOf(bucket).map((part, index) =>
                part === 0 ? null : (
                  <p key={index} className="flex items-center gap-1.5">
                    <Sign paint={series[index]?.paint ?? ''} />
                    {series[index]?.label} <span className="figures ml-auto pl-3">{format(part)}</span>
                  </p>
                ),
              )}
              <p className="figures text-dim">{countText(bucket.count)}</p>
            </>
          )}
        />
      </div>
      <details className="group text-sm" onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <Summary className="w-fit cursor-pointer rounded-sm text-dim hover:text-ink">{words.table}</Summary>
        {hasTable && <StackTable {...props} />}
      </details>
    </>
  );
}

export function Sign({ paint }: { paint: string }) {
  return <span aria-hidden className={`size-2.5 shrink-0 rounded-xs ${paint}`} />;
}
