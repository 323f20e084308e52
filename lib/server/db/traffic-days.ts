import { PostgresAdapter } from 'kysely';
import { z } from 'zod';
import { epochName } from '@/lib/protocol/allocation/epoch';
import type { Database } from './schema';

export interface TrafficSample {
  requests: number;
  /** Number of requests answered with a status of 500 or more. */
  failed: number;
  /** Requests by duration bucket. */
  counts: number[];
}

const count = z.number().int().nonnegative();
const storedSchema = z.object({ requests: count, failed: count, counts: z.array(count).max(100) });

const DAYS_KEPT = 30;

/** Each day is a row of `installation`, such as `traffic 2026-11-24`. */
const PREFIX = 'traffic ';

function rowNames(firstDay: number, days: number): string[] {
  return Array.from({ length: days }, (_none, index) => PREFIX + epochName(firstDay + index));
}

/**
 * Adds requests to a UTC day's counts, which all gateway processes share. Keeps 30 days.
 * @param day number of the day, as `epochAt` returns it
 */
export async function addTraffic(db: Database, day: number, added: TrafficSample): Promise<void> {
  const name = PREFIX + epochName(day);
  // Keeps the next day too, because another process may already write it.
  const kept = rowNames(day - DAYS_KEPT + 1, DAYS_KEPT + 1);
  await db.transaction().execute(async (transaction) => {
    // The write locks the row, so it comes before the read.
    await transaction
      .insertInto('installation')
      .values({ name, value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ name }))
      .execute();
    const row = transaction.selectFrom('installation').select('value').where('name', '=', name);
    const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter;
    const { value } = await (isPostgres ? row.forUpdate() : row).executeTakeFirstOrThrow();
    const sum = JSON.stringify(sumOf(parsed(value), added));
    await transaction.updateTable('installation').set({ value: sum }).where('name', '=', name).execute();
    await transaction
      .deleteFrom('installation')
      .where('name', 'like', `${PREFIX}%`)
      .where('name', 'not in', kept)
      .execute();
  });
}

/** Returns the request counts of days, by date such as `2026-11-24`. Leaves out days without requests. */
export async function trafficOf(
  db: Database,
  firstDay: number,
  days: number,
): Promise<ReadonlyMap<string, TrafficSample>> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'in', rowNames(firstDay, days))
    .execute();
  return new Map(
    rows.flatMap(({ name, value }) => {
      const sample = parsed(value);
      return sample === null ? [] : [[name.slice(PREFIX.length), sample] as const];
    }),
  );
}

function parsed(value: string): TrafficSample | null {
  try {
    return storedSchema.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}

/** Discards earlier durations if another release counted them in other buckets. */
function sumOf(before: TrafficSample | null, added: TrafficSample): TrafficSample {
  if (before === null) return added;
  const isSame = before.counts.length === added.counts.length;
  return {
    requests: before.requests + added.requests,
    failed: before.failed + added.failed,
    counts: isSame ? added.counts.map((each, index) => each + (before.counts[index] ?? 0)) : added.counts,
  };
}
