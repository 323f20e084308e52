import type { ChargeSum, ChargeSums } from '@/lib/client';
import { daysOf } from './days';

/** Maximum number of resources that are shown separately. */
export const STACKED_MAX = 5;

/** Part of each day's bar: one resource, or all others together. */
export interface Series {
  /** Resource such as `chat/guide`; null for all others. */
  resource: string | null;
  /** Product of the resource, such as `chat`; `other` for the others. */
  product: string;
  /** Index among the series of the same product, which selects the tint. */
  tint: number;
  usd: number;
}

export interface StackedDay {
  day: string;
  usd: number;
  charges: number;
  /** USD of each series. */
  parts: number[];
}

/** Returns the most expensive resources. */
export function mostSpentOn(sums: readonly ChargeSum[]): string[] {
  return sums
    .filter(({ amount, group }) => Number(amount) > 0 && group !== '')
    .toSorted((one, other) => Number(other.amount) - Number(one.amount))
    .slice(0, STACKED_MAX)
    .map(({ group }) => group);
}

/**
 * Splits the charges of each day by resource. Amounts are floats, for drawing.
 *
 * @param sums sums by day of all resources
 * @param byResource sums by day of the resources that are shown separately
 */
export function stackDays(
  sums: Pick<ChargeSums, 'startDate' | 'endDate' | 'data'>,
  byResource: readonly { resource: string; data: readonly ChargeSum[] }[],
): { series: Series[]; days: StackedDay[] } {
  const amounts = byResource.map(({ data }) => new Map(data.map(({ group, amount }) => [group, nanoUsd(amount)])));
  const days = daysOf(sums).map((day) => {
    const own = amounts.map((each) => each.get(day.day) ?? 0);
    const rest = Math.max(0, nanoUsd(day.usd) - own.reduce((sum, nano) => sum + nano, 0));
    return { ...day, parts: [...own, rest].map((nano) => nano / 1e9) };
  });
  const counts = new Map<string, number>();
  const series = [...byResource.map(({ resource }) => resource), null].map((resource, index) => {
    const product = resource?.split('/')[0] ?? 'other';
    const tint = counts.get(product) ?? 0;
    counts.set(product, tint + 1);
    return { resource, product, tint, usd: days.reduce((sum, { parts }) => sum + (parts[index] ?? 0), 0) };
  });
  const isShown = series.map(({ usd }) => usd > 0);
  return {
    series: series.filter((_, index) => isShown[index]),
    days: days.map((day) => ({ ...day, parts: day.parts.filter((_, index) => isShown[index]) })),
  };
}

function nanoUsd(usd: string | number): number {
  return Math.round(Number(usd) * 1e9);
}
