'use client';

import { CsvButton } from '@/components/billing/csv-button';
import { paintOf } from '@/components/billing/series-paint';
import { Sign, StackedPlot } from './stacked-plot';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatCount, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import { type Bucket, bucketsOf, type Series, stackRows } from '@/components/billing/stacked-sums';
import {
  balancesQueryOf,
  isByHour,
  type Stack,
  STACKS_OF,
  type Tab,
  type UsageView,
} from '@/components/billing/usage-view';
import { useChargeSums } from '@/components/billing/use-usage';
import { useRequestSums, useUsageRows } from './use-usage-rows';
import { useBrand } from '@/lib/browser/reads/settings';
import { formatDay } from '@/lib/browser/text/moments';
import { billingWords } from '@/components/billing/words';
import { usageWords as words } from './words';
import type { RequestSum } from '@/lib/client';
import type { ReactNode } from 'react';

const LOG_DAYS = 30;

interface UsageFiguresProps {
  view: UsageView;
  onChange: (change: Partial<UsageView>) => void;
}

/** Minimum height of a plot, with or without data. */
const PLACE = 'min-h-108 sm:min-h-94 xl:min-h-110';

/** Shows one usage figure as a sum, a plot and a list of its parts. Choosing a part filters the page. */
export function UsageFigures({ view, onChange }: UsageFiguresProps) {
  const { tab, by } = view;
  const rows = useUsageRows(view);
  const whole = useRequestSums(view, tab === 'latency' || tab === 'requests');
  if (rows.data === undefined)
    return rows.isError ? (
      <FailureCard isRead error={rows.error} onRetry={() => void rows.refetch()} />
    ) : (
      <Skeleton className={PLACE} />
    );
  const stacked = stackRows(bucketsOf(view), rows.data, { none: words.none[by], others: words.others });
  const series = stacked.series.map((each) => ({ ...each, label: labelOf(each, by), paint: paintOf(each) }));
  const count = series.reduce((sum, each) => sum + each.count, 0);
  const isLatency = tab === 'latency';
  const plot = isLatency ? latencyPlot(stacked.buckets, whole.data ?? []) : { series, buckets: stacked.buckets };
  const formatOf: Record<Tab, (value: number) => string> = {
    cost: formatUsdNumber,
    requests: formatCount,
    tokens: formatCount,
    latency: formatDuration,
  };
  const format = formatOf[tab];
  const byHour = isByHour(view);
  const unread = rows.isError ? rows : whole;
  const byName = isLatency ? words.latency.by : words.by;
  const parts = (
    <Parts
      series={series}
      hasSigns={!isLatency}
      isChosen={(each) => filterOf(each, by, view).isChosen}
      onChoose={(each) => onChange(filterOf(each, by, view).change)}
      figure={({ value, count: requests }) => format(isLatency ? value / requests : value)}
    />
  );
  return (
    <figure className={`grid content-start gap-3 ${PLACE}`}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <figcaption>
          <Headline
            view={view}
            value={series.reduce((sum, each) => sum + each.value, 0)}
            count={count}
            whole={whole.data}
          />
        </figcaption>
        <div className="flex items-center gap-2">
          <Select
            aria-label={byName}
            value={by}
            options={STACKS_OF[tab].map((each) => ({ value: each, label: `${byName}: ${words.stacks[each]}` }))}
            onChange={(next) => onChange({ by: next as Stack })}
            className="w-48"
          />
          {series.length > 0 && (
            <PlotCsv
              view={view}
              series={plot.series}
              buckets={isLatency ? plot.buckets.map((each) => ({ ...each, parts: durationsOf(each) })) : plot.buckets}
            />
          )}
        </div>
      </div>
      {isLatency && series.length > 0 ? (
        <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-dim">
          {plot.series.map(({ label, paint }) => (
            <li key={label} className="flex items-center gap-1.5">
              <Sign paint={paint} />
              {label}
            </li>
          ))}
        </ul>
      ) : (
        parts
      )}
      {series.length === 0 ? (
        <p
          role="status"
          data-drawing="plot"
          className="grid h-56 place-content-center justify-items-center rounded-md bg-surface px-4 text-center text-sm text-dim xl:h-72"
        >
          {words[tab].empty}
        </p>
      ) : (
        <StackedPlot
          series={plot.series}
          buckets={plot.buckets}
          isByHour={byHour}
          nameOf={byHour ? hourName : dayName}
          format={format}
          countText={tab === 'cost' ? words.cost.note : words.requests.note}
          {...(tab === 'cost' ? {} : { axisText: format })}
          totalName={isLatency ? null : words.plot.total}
          {...(isLatency && { shownOf: durationsOf })}
          onChoose={byHour ? undefined : (start) => onChange({ day: start.slice(0, 10) })}
        />
      )}
      {isLatency && series.length > 0 && (
        <div className="grid gap-1">
          <p className="text-xs text-faint">{words.latency.averages}</p>
          {parts}
        </div>
      )}
      {tab === 'cost' && view.status !== '' && <p className="text-xs text-dim">{words.cost.noStatus}</p>}
      {tab !== 'cost' && view.days > LOG_DAYS && <p className="text-xs text-dim">{words.logDays}</p>}
      {unread.isError && <FailureCard isRead error={unread.error} onRetry={() => void unread.refetch()} />}
    </figure>
  );
}

function Headline({
  view,
  value,
  count,
  whole,
}: {
  view: UsageView;
  value: number;
  count: number;
  whole: readonly RequestSum[] | undefined;
}) {
  const { tab } = view;
  const failed = whole?.reduce((sum, each) => sum + each.failed, 0);
  const figures: Record<Tab, { figure: string; notes: ReactNode[] }> = {
    cost: { figure: formatUsdNumber(value), notes: [words.cost.note(count), <Refunds key="refunds" view={view} />] },
    requests: { figure: formatCount(value), notes: [failed !== undefined && words.requests.failed(failed)] },
    tokens: { figure: words.tokens.figure(value), notes: [words.tokens.note(count)] },
    latency: { figure: count === 0 ? '–' : formatDuration(value / count), notes: [words.latency.note(count)] },
  };
  const { figure, notes } = figures[tab];
  return (
    <>
      <span className="figures block text-3xl font-semibold tracking-tight">{figure}</span>
      <span className="text-sm text-dim">
        {notes[0]} {view.day === '' ? words.period.days(view.days) : words.period.day(formatDay(view.day))}
        {notes.slice(1)}
      </span>
    </>
  );
}

/** Hidden while a filter applies, because refunds belong to no product, resource or key. */
function Refunds({ view }: { view: UsageView }) {
  const { data } = useChargeSums('day', balancesQueryOf(view));
  const isFiltered = view.product !== '' || view.resource !== '' || view.key !== '';
  if (isFiltered || data === undefined || Number(data.totals.refunded) === 0) return null;
  return ` · ${words.cost.refunded(formatCost(data.totals.refunded))}`;
}

interface PartsProps {
  series: readonly (Series & { paint: string })[];
  /** True if the plot shows the parts in their colors. */
  hasSigns: boolean;
  isChosen: (series: Series) => boolean;
  onChoose: (series: Series) => void;
  figure: (series: Series) => string;
}

function Parts({ series, hasSigns, isChosen, onChoose, figure }: PartsProps) {
  return (
    <ul aria-label={words.plot.label} className="-mx-2 flex flex-wrap gap-x-1">
      {series.map((each) => {
        const content = (
          <>
            {hasSigns && <Sign paint={each.paint} />}
            <span className="truncate">{each.label}</span>
            <span className="figures text-ink">{figure(each)}</span>
          </>
        );
        return (
          <li key={`${each.kind} ${each.id}`} className="flex max-w-full min-w-0">
            {each.kind === 'named' ? (
              <Button
                tone="quiet"
                aria-pressed={isChosen(each)}
                className="min-w-0 gap-2 px-2 font-normal aria-pressed:bg-hover aria-pressed:text-ink"
                onClick={() => onChoose(each)}
              >
                {content}
              </Button>
            ) : (
              <span className="flex h-8 min-w-0 items-center gap-2 px-2 text-sm text-dim pointer-coarse:h-10">
                {content}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function PlotCsv({
  view,
  series,
  buckets,
}: {
  view: UsageView;
  series: readonly { label: string }[];
  buckets: readonly Bucket[];
}) {
  const { slug } = useBrand();
  const { tab, by } = view;
  return (
    <CsvButton
      label={words.plot.csvOf(words.tabs[tab])}
      fileName={`${slug}-${tab}-by-${by}-${bucketsOf(view)[0]?.slice(0, 10)}.csv`}
      csv={async () =>
        (await import('./sums-csv')).stackCsv(
          isByHour(view) ? 'hour' : 'day',
          series.map(({ label }) => label),
          buckets,
        )
      }
    >
      {words.plot.csv}
    </CsvButton>
  );
}

function labelOf({ kind, id, label }: Series, by: Stack): string {
  if (kind !== 'named') return label;
  if (by === 'product') return billingWords.products[id] ?? label;
  return by === 'status' ? words.statuses(label) : label;
}

function filterOf({ id }: Series, by: Stack, view: UsageView): { isChosen: boolean; change: Partial<UsageView> } {
  const name = by === 'model' || by === 'network' ? 'resource' : by;
  const isChosen = view[name] === id;
  return { isChosen, change: { [name]: isChosen ? '' : id } };
}

/** Plots the median latency of all requests, and above it the 95th percentile. */
function latencyPlot(buckets: readonly Bucket[], whole: readonly RequestSum[]) {
  const sums = new Map(whole.map((sum) => [sum.group, sum]));
  return {
    series: [
      { label: words.latency.half, paint: 'bg-dim' },
      { label: words.latency.most, paint: 'bg-edge' },
    ],
    buckets: buckets.map(({ start }) => {
      const sum = sums.get(start);
      const [half, most] = [sum?.p50Ms ?? 0, sum?.p95Ms ?? 0];
      return { start, value: most, count: sum?.requests ?? 0, parts: [half, most - half] };
    }),
  };
}

function durationsOf({ parts, value }: Bucket): number[] {
  return [parts[0] ?? 0, value];
}

function dayName(start: string): string {
  return formatDay(start.slice(0, 10));
}

function hourName(start: string): string {
  return start.slice(11, 16);
}
