import type { ChargeSums } from '@/lib/client';
import { epochAt, epochName } from '@/lib/protocol/allocation/epoch';

const DAYS_MAX = 367;

/** Returns the first day of a period of `days` days that ends today (UTC), in the form `2026-11-21`. */
export function firstDayOf(days: number): string {
  return epochName(epochAt(Date.now()) - (days - 1));
}

/** Returns the charges of each UTC day in the period, oldest first. `usd` is a float, for drawing only. */
export function daysOf({
  startDate,
  endDate,
  data,
}: Pick<ChargeSums, 'startDate' | 'endDate' | 'data'>): { day: string; usd: number; charges: number }[] {
  const byDay = new Map(data.map((sum) => [sum.group, sum]));
  const days: { day: string; usd: number; charges: number }[] = [];
  const last = epochAt(Date.parse(endDate) - 1);
  for (let epoch = epochAt(Date.parse(startDate)); epoch <= last && days.length < DAYS_MAX; epoch++) {
    const day = epochName(epoch);
    const sum = byDay.get(day);
    days.push({ day, usd: Number(sum?.amount ?? 0), charges: sum?.charges ?? 0 });
  }
  return days;
}
