import type { ChargeSums } from '@/lib/client';

const DAY_MS = 86_400_000;
const DAYS_MAX = 367;

/** The first of the last so many days (UTC), today included, as `2026-11-21`. */
export function firstDayOf(days: number): string {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** Every day (UTC) of the sums' period, oldest first, those without charges as zero. For drawing: `usd` is a float. */
export function daysOf({ startDate, endDate, data }: Pick<ChargeSums, 'startDate' | 'endDate' | 'data'>): { day: string; usd: number; charges: number }[] {
  const byDay = new Map(data.map((sum) => [sum.group, sum]));
  const days: { day: string; usd: number; charges: number }[] = [];
  const lastMs = Date.parse(endDate) - 1;
  for (let atMs = Math.floor(Date.parse(startDate) / DAY_MS) * DAY_MS; atMs <= lastMs && days.length < DAYS_MAX; atMs += DAY_MS) {
    const day = new Date(atMs).toISOString().slice(0, 10);
    const sum = byDay.get(day);
    days.push({ day, usd: Number(sum?.amount ?? 0), charges: sum?.charges ?? 0 });
  }
  return days;
}
