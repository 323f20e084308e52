import type { ChargeGrouping, ChargeSum, ChargeSums, PotMovement } from '@/lib/client';
import { csvText } from '@/lib/protocol/csv';
import { keyNameText } from './key-name';

/** Formats charge sums as CSV with a header line, in the given order. Amounts are exact. */
export function sumsCsv(groupBy: ChargeGrouping, sums: readonly ChargeSum[]): string {
  return csvText(
    [groupBy, 'charges', 'units', 'amount_usd'],
    sums.map((sum) => [groupText(groupBy, sum), String(sum.charges), String(sum.units), sum.amount]),
  );
}

const MOVED = [
  'opening',
  'credited',
  'charged',
  'expired',
  'closing',
] as const satisfies readonly (keyof PotMovement)[];

/** Formats the movement of each balance in a period as CSV with a header line. */
export function potsCsv({ startDate, endDate, totals }: ChargeSums): string {
  return csvText(
    ['pot', 'from', 'until', ...MOVED.map((name) => `${name}_usd`)],
    Object.entries(totals.pots).map(([pot, movement]) => [
      pot,
      startDate,
      endDate,
      ...MOVED.map((name) => movement[name]),
    ]),
  );
}

function groupText(groupBy: ChargeGrouping, { group, apiKey }: ChargeSum): string {
  if (groupBy !== 'key') return group;
  if (group === '') return 'wallet';
  return apiKey ? keyNameText(apiKey) : group;
}
