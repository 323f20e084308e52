import type { Logger } from 'pino';
import type { Database } from '../store/schema';

const INTERVAL_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Deletes, now and every quarter of an hour, what counts no more: idempotency records and credit minutes older
 * than 24 hours. Reads ignore them by age already; this only keeps the store small.
 * @returns a function that stops it.
 */
export function startForgetting(db: Database, log: Logger): () => void {
  const run = (): void => {
    forgetExpired(db).catch((error: unknown) => log.warn({ err: error }, 'expired records could not be deleted'));
  };
  run();
  const timer = setInterval(run, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Deletes what is older than 24 hours at `now`. */
export async function forgetExpired(db: Database, now = Date.now()): Promise<void> {
  await db.deleteFrom('idempotency_records').where('created_at', '<=', now - DAY_MS).execute();
  await db.deleteFrom('credit_minutes').where('minute', '<', Math.floor((now - DAY_MS) / MINUTE_MS) - 1).execute();
}
