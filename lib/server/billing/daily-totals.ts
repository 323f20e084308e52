import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, LedgerKind } from '../db/schema';

const DAY_MS = 86_400_000;

export interface DayTotals {
  /** UTC day such as `2026-11-24`. */
  day: string;
  charges: number;
  chargedNanoUsd: number;
  /** Sum of top-ups. */
  paidInNanoUsd: number;
  /** Withdrawals with their fees, minus failed ones. Negative on a day that only returns money. */
  withdrawnNanoUsd: number;
}

/** Days in calendar order; days that did not fit the time limit are missing. */
export interface DailyTotals {
  days: DayTotals[];
  /** Number of missing days, always the earliest. */
  leftOut: number;
}

export interface DailyTotalsOptions {
  /** Number of days, today included. */
  days: number;
  now: number;
  /** Milliseconds after which no further day is summed. */
  budgetMs: number;
  known?: ReadonlyMap<string, DayTotals>;
}

/**
 * Sums the ledger by day, newest first, one indexed query a day. Yields between days, because SQLite blocks this
 * process.
 */
export async function dailyTotals(
  db: Database,
  { days, now, budgetMs, known }: DailyTotalsOptions,
): Promise<DailyTotals> {
  const today = Math.floor(now / DAY_MS);
  const until = performance.now() + budgetMs;
  const found: DayTotals[] = [];
  for (let i = 0; i < days && (i === 0 || performance.now() < until); i++) {
    const summed = known?.get(nameOf(today - i));
    found.push(summed ?? (await totalsOf(db, today - i)));
    if (!summed) await setImmediate();
  }
  return { days: found.reverse(), leftOut: days - found.length };
}

export function isOverFor({ day }: Pick<DayTotals, 'day'>, ms: number, now: number): boolean {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS + ms <= now;
}

function nameOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Sums per account, because SQLite and Postgres may read the whole ledger for a join. */
async function totalsOf(db: Database, day: number): Promise<DayTotals> {
  const from = day * DAY_MS;
  const of = (kinds: readonly LedgerKind[], what: 'sum(calls)' | 'sum(amount)') =>
    sql`(select ${sql.raw(what)} from ledger where ledger.account_id = accounts.id and created_at >= ${from} and created_at < ${from + DAY_MS} and kind in (${sql.join(kinds)}))`;
  const { rows } = await sql<Record<'charges' | 'charged' | 'paid' | 'withdrawn', number | string | null>>`
    select sum(${of(['CHARGE'], 'sum(calls)')}) as charges, sum(${of(['CHARGE'], 'sum(amount)')}) as charged,
      sum(${of(['TOP_UP'], 'sum(amount)')}) as paid, sum(${of(['WITHDRAWAL', 'REVERSAL'], 'sum(amount)')}) as withdrawn
    from accounts`.execute(db);
  const [sums] = rows;
  return {
    day: nameOf(day),
    charges: Number(sums?.charges ?? 0),
    chargedNanoUsd: Math.abs(Number(sums?.charged ?? 0)),
    paidInNanoUsd: Number(sums?.paid ?? 0),
    withdrawnNanoUsd: 0 - Number(sums?.withdrawn ?? 0),
  };
}
