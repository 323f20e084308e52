import type { Database } from '../db/schema';
import { epochAt, epochName } from './rules/epoch';

export interface DayTotals {
  /** UTC day such as `2026-11-24`. */
  day: string;
  charges: number;
  chargedNanoUsd: number;
  /** Sum of top-ups. */
  paidInNanoUsd: number;
  /** Withdrawals with their fees, minus failed withdrawals. Negative on a day that only returns money. */
  withdrawnNanoUsd: number;
}

/**
 * Reads the ledger's sums by day from `ledger_days`, at the same cost for any number of accounts and charges.
 * @param days number of days, today included
 * @returns days in calendar order, also those without ledger rows
 */
export async function dailyTotals(db: Database, { days, now }: { days: number; now: number }): Promise<DayTotals[]> {
  const first = epochAt(now) - days + 1;
  const rows = await db
    .selectFrom('ledger_days')
    .select((row) => [
      'day',
      row.fn.sum<number | string>('calls').as('calls'),
      row.fn.sum<number | string>('charged').as('charged'),
      row.fn.sum<number | string>('paid_in').as('paid_in'),
      row.fn.sum<number | string>('withdrawn').as('withdrawn'),
    ])
    .where('day', '>=', first)
    .where('day', '<', first + days)
    .groupBy('day')
    .execute();
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_none, index) => {
    const sums = byDay.get(first + index);
    return {
      day: epochName(first + index),
      charges: Number(sums?.calls ?? 0),
      chargedNanoUsd: Number(sums?.charged ?? 0),
      paidInNanoUsd: Number(sums?.paid_in ?? 0),
      withdrawnNanoUsd: Number(sums?.withdrawn ?? 0),
    };
  });
}
