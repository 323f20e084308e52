import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/schema';

const DAY_MS = 86_400_000;

/** What was charged and what came in on a day of UTC, in nano-USD. */
export interface DayTotals {
  /** Such as `2026-11-24`. */
  day: string;
  charges: number;
  chargedNanoUsd: number;
  /** By x402. */
  paidInNanoUsd: number;
}

/** Days in the order of the calendar; of those that there was no time for, nothing is said. */
export interface DailyTotals {
  days: DayTotals[];
  /** How many days were left out, the earliest ones. */
  leftOut: number;
}

export interface DailyTotalsOptions {
  /** How many days, today included. */
  days: number;
  now: number;
  /** No day is begun after so long. */
  budgetMs: number;
  /** Days that were summed before, and are over. */
  known?: ReadonlyMap<string, DayTotals>;
}

/**
 * Sums the ledger by day, the newest first, a query each. A query goes by the index of the ledger by account and time,
 * so that it reads the rows of its day and nothing of what is before, however old the books are. Between two days whoever
 * else waits for this process has a turn, since SQLite answers within it.
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

/** Whether a day has been over for so long. */
export function isOverFor({ day }: Pick<DayTotals, 'day'>, ms: number, now: number): boolean {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS + ms <= now;
}

function nameOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Sums of sums by account: joined, either database might rather read the whole ledger. */
async function totalsOf(db: Database, day: number): Promise<DayTotals> {
  const from = day * DAY_MS;
  const of = (kind: 'CHARGE' | 'TOP_UP', what: 'sum(calls)' | 'sum(amount)') =>
    sql`(select ${sql.raw(what)} from ledger where ledger.account_id = accounts.id and created_at >= ${from} and created_at < ${from + DAY_MS} and kind = ${kind})`;
  const { rows } = await sql<Record<'charges' | 'charged' | 'paid', number | string | null>>`
    select sum(${of('CHARGE', 'sum(calls)')}) as charges, sum(${of('CHARGE', 'sum(amount)')}) as charged, sum(${of('TOP_UP', 'sum(amount)')}) as paid from accounts`.execute(
    db,
  );
  const [sums] = rows;
  return {
    day: nameOf(day),
    charges: Number(sums?.charges ?? 0),
    chargedNanoUsd: Math.abs(Number(sums?.charged ?? 0)),
    paidInNanoUsd: Number(sums?.paid ?? 0),
  };
}
