import type { ChargeSums, PotMovement } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';
import { movementTerms } from './movement-terms';
import type { Bucket } from '@/components/billing/stacked-sums';

/** Formats the plotted values as CSV with a header line and a column for each part. Leaves out empty hours and days. */
export function stackCsv(period: 'hour' | 'day', names: readonly string[], buckets: readonly Bucket[]): string {
  return csvText(
    [period, ...names],
    buckets
      .filter(({ value }) => value > 0)
      .map(({ start, parts }) => [
        period === 'hour' ? start : start.slice(0, 10),
        // Rounds away floating-point error beyond nine decimal places.
        ...parts.map((part) => String(Number(part.toFixed(9)))),
      ]),
  );
}

const MOVED = [
  'opening',
  'credited',
  'withdrawn',
  'charged',
  'expired',
  'closing',
] as const satisfies readonly (keyof PotMovement)[];

/** Formats each balance's changes in a period as CSV with a header line. */
export function potsCsv({ startDate, endDate, totals }: ChargeSums): string {
  return csvText(
    ['pot', 'from', 'until', ...MOVED.map((name) => `${name}_usd`)],
    Object.entries(totals.pots).map(([pot, movement]) => [
      pot,
      startDate,
      endDate,
      ...MOVED.map((name) => movementTerms(movement)[name]),
    ]),
  );
}
