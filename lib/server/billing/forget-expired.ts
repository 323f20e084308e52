import { PostgresAdapter, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/schema';
import { oldestCreditMinute } from './rules/credit-cap';
import { forgottenUntil } from './rules/idempotency';

const INTERVAL_MS = 15 * 60_000;
/** Minutes of credits that a clock which steps back counts again are left for so long. */
const MINUTES_LEFT = 1;
/** Records deleted in one transaction, which nobody has to wait for long: some have megabytes. */
const STEP = 200;
/** With the record that exceeds it, this much of answers is deleted in one transaction on SQLite. */
const STEP_BYTES = 4 * 1024 * 1024;
/** Between two transactions others have their turn. */
const PAUSE_MS = 5;

/**
 * Deletes, now and every quarter of an hour, what counts no more: idempotency records and credit minutes older
 * than 24 hours. Reads ignore them by age already; this only keeps the store small.
 * @returns a function that stops it.
 */
export function startForgetting(db: Database, log: Logger): () => void {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= forgetExpired(db, Date.now(), stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'expired records could not be deleted');
      })
      .finally(() => (running = null));
  };
  run();
  const timer = setInterval(run, INTERVAL_MS);
  timer.unref();
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

/** Deletes what is older than 24 hours at `now`, in small transactions. @param signal ends it after the one that runs. */
export async function forgetExpired(db: Database, now = Date.now(), signal?: AbortSignal): Promise<void> {
  while ((await forgetRecords(db, forgottenUntil(now))) > 0 && !signal?.aborted) await sleep(PAUSE_MS);
  if (signal?.aborted) return;
  await db
    .deleteFrom('credit_minutes')
    .where('minute', '<', oldestCreditMinute(now) - MINUTES_LEFT)
    .execute();
}

/** @returns how many were deleted; none where there are no more, or only those of callers who are busy now. */
async function forgetRecords(db: Database, until: number): Promise<number> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // Under the locks of their callers, as whatever else writes them.
    const { rows } = await sql<{
      count: number;
    }>`select turnpike_forget_records(${until}::bigint, ${STEP}::integer) as count`.execute(db);
    return rows[0]?.count ?? 0;
  }
  // The gateway does nothing else meanwhile, and freeing the pages of a megabyte takes about two milliseconds.
  const oldest = sql`select rowid, created_at, length(body) as bytes from idempotency_records where created_at <= ${until} order by created_at limit ${STEP}`;
  const summed = sql`select rowid, bytes, sum(bytes) over (order by created_at, rowid rows unbounded preceding) as bytes_with from (${oldest})`;
  const { numAffectedRows } =
    await sql`delete from idempotency_records where rowid in (select rowid from (${summed}) where bytes_with - bytes < ${STEP_BYTES})`.execute(
      db,
    );
  return Number(numAffectedRows ?? 0);
}
