import { DAY_MS, epochAt, epochStart } from '@/lib/protocol/allocation/epoch';
import { firstDayOf, isByHour, type UsageView } from './usage-view';

export const STACKED_MAX = 5;

const HOUR_MS = 3_600_000;

/** Total of one group in one hour or day. `value` is a float, for drawing. */
export interface StackRow {
  /** First moment of the hour or day, ISO 8601. */
  start: string;
  /**
   * Identifies the group, such as `rpc/base-mainnet`, a key id or a status. Null if the row has no group.
   */
  id: string | null;
  label: string;
  product: string | null;
  value: number;
  count: number;
}

export interface Series {
  kind: 'named' | 'none' | 'others';
  id: string;
  label: string;
  product: string | null;
  /** Index among the series of the same product. Selects the tint. */
  tint: number;
  value: number;
  count: number;
}

/** Bar for one hour or day. */
export interface Bucket {
  start: string;
  value: number;
  count: number;
  parts: number[];
}

/** Returns the starts of the hours or days that a view shows, oldest first. */
export function bucketsOf(view: Pick<UsageView, 'days' | 'day'>): string[] {
  const first = epochStart(epochAt(Date.parse(view.day === '' ? firstDayOf(view.days) : view.day)));
  const isHours = isByHour(view);
  return Array.from({ length: isHours ? 24 : view.days }, (_, index) =>
    new Date(first + index * (isHours ? HOUR_MS : DAY_MS)).toISOString(),
  );
}

export type Unnamed = 'none' | 'others';

/** Stacks rows. Each of the largest groups becomes a series. All other groups together become one series. */
export function stackRows(
  starts: readonly string[],
  rows: readonly StackRow[],
  words: Readonly<Record<Unnamed, string>>,
): { series: Series[]; buckets: Bucket[] } {
  const totals = new Map<string | null, Series>();
  for (const { id, label, product, value, count } of rows) {
    const sum = totals.get(id) ?? {
      kind: id === null ? ('none' as const) : ('named' as const),
      id: id ?? '',
      label: id === null ? words.none : label,
      product: id === null ? null : product,
      tint: 0,
      value: 0,
      count: 0,
    };
    sum.value += value;
    sum.count += count;
    totals.set(id, sum);
  }
  const all = [...totals.values()].filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
  const named = all.filter(({ kind }) => kind === 'named');
  const shown = named.slice(0, STACKED_MAX);
  const rest = named.slice(STACKED_MAX);
  const others: Series = {
    kind: 'others',
    id: '',
    label: words.others,
    product: null,
    tint: 1,
    value: rest.reduce((sum, { value }) => sum + value, 0),
    count: rest.reduce((sum, { count }) => sum + count, 0),
  };
  const none = all.filter(({ kind }) => kind === 'none');
  const series = tinted([...shown, ...(rest.length > 0 ? [others] : []), ...none]);
  const indexOf = (id: string | null): number => {
    const named = series.findIndex((each) => each.kind === (id === null ? 'none' : 'named') && each.id === (id ?? ''));
    return named === -1 ? series.findIndex(({ kind }) => kind === 'others') : named;
  };
  const buckets = new Map<string, Bucket>(
    starts.map((start) => [start, { start, value: 0, count: 0, parts: series.map(() => 0) }]),
  );
  for (const { start, id, value, count } of rows) {
    const bucket = buckets.get(start);
    const index = indexOf(id);
    if (bucket === undefined || index === -1) continue;
    bucket.value += value;
    bucket.count += count;
    bucket.parts[index] = (bucket.parts[index] ?? 0) + value;
  }
  return { series, buckets: [...buckets.values()] };
}

function tinted(series: readonly Series[]): Series[] {
  const counts = new Map<string, number>();
  return series.map((each) => {
    if (each.kind !== 'named') return each;
    const tint = counts.get(each.product ?? '') ?? 0;
    counts.set(each.product ?? '', tint + 1);
    return { ...each, tint };
  });
}

/** Returns the group of a resource (such as `chat/guide`) for bars stacked by product, model or network. */
export function groupOfResource(
  resource: string,
  by: 'product' | 'model' | 'network',
): Pick<StackRow, 'id' | 'label' | 'product'> {
  const slash = resource.indexOf('/');
  const product = slash === -1 ? resource : resource.slice(0, slash);
  if (by === 'product') return { id: product, label: product, product };
  const isOfKind = (product === 'rpc') === (by === 'network') && slash !== -1;
  return { id: isOfKind ? resource : null, label: resource.slice(slash + 1), product };
}
