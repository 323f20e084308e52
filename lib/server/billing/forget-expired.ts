import { PostgresAdapter, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS } from '@/lib/protocol/allocation/epoch';
import { forgetIdentifiers } from '../db/payment-identifiers';
import { forgetReceipts } from '../db/receipts';
import type { Database } from '../db/schema';
import { oldestCreditMinute } from './rules/credit-cap';
import { forgottenUntil } from './rules/idempotency';

const INTERVAL_MS = 15 * 60_000;
/** Rows of `credit_minutes` are kept for this many minutes beyond 24 hours, because a clock may step back. */
const MINUTES_LEFT = 1;
const STEP = 200;
/**
 * A SQLite transaction also ends after deleting this many bytes of answers, because one answer can be megabytes long.
 */
const STEP_BYTES = 4 * 1024 * 1024;
/** Pause between transactions, so that other writers can run. */
const PAUSE_MS = 5;

/**
 * Deletes expired rows now and every 15 minutes: idempotency records, payment identifiers and `credit_minutes` after 24
 * hours, and old receipts. Queries ignore expired rows, except receipts.
 * @returns a function that stops the deletions
 */
export function startForgetting(db: Database, log: Logger, { receiptDays }: { receiptDays: number }): () => void {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= forgetExpired(db, Date.now(), stopping.signal)
      .then(() => forgetReceipts(db, Date.now() - receiptDays * DAY_MS, stopping.signal))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'deleting expired records failed');
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

/**
 * Deletes rows older than 24 hours at `now`, in small transactions.
 * @param signal stops the deletion after the current transaction
 */
export async function forgetExpired(db: Database, now = Date.now(), signal?: AbortSignal): Promise<void> {
  while ((await forgetRecords(db, forgottenUntil(now))) > 0 && !signal?.aborted) await sleep(PAUSE_MS);
  if (signal?.aborted) return;
  await forgetIdentifiers(db, forgottenUntil(now));
  await db
    .deleteFrom('credit_minutes')
    .where('minute', '<', oldestCreditMinute(now) - MINUTES_LEFT)
    .execute();
}

async function forgetRecords(db: Database, until: number): Promise<number> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    // turnpike_forget_records locks each caller's meter row, like all other writers of these records.
    const { rows } = await sql<{
      count: number;
    }>`select turnpike_forget_records(${until}::bigint, ${STEP}::integer) as count`.execute(db);
    return rows[0]?.count ?? 0;
  }
  // SQLite needs 2 ms to free a megabyte, and blocks the gateway meanwhile.
  const oldest = sql`select rowid, created_at, length(body) as bytes from idempotency_records where created_at <= ${until} order by created_at limit ${STEP}`;
  const summed = sql`select rowid, bytes, sum(bytes) over (order by created_at, rowid rows unbounded preceding) as bytes_with from (${oldest})`;
  const { numAffectedRows } =
    await sql`delete from idempotency_records where rowid in (select rowid from (${summed}) where bytes_with - bytes < ${STEP_BYTES})`.execute(
      db,
    );
  return Number(numAffectedRows ?? 0);
}
