import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/schema';
import { archiveBatch, archivedBefore, ArchiveElsewhere } from './archive-ledger';

const INTERVAL_MS = 60 * 60_000;
/** Pause between batches, so that other writers can run. */
const PAUSE_MS = 250;

export interface ArchiverSettings {
  db: Database;
  /** Days that charges stay in the ledger; null archives nothing. */
  ledgerDays: number | null;
  folder: string;
  now: () => number;
  log: Logger;
}

export interface Archived {
  archives: number;
  rows: number;
  daily: number;
}

/** Archives old charges, now and every hour. @returns a function that stops after the running batch */
export function startArchiving({ db, ledgerDays, folder, now, log }: ArchiverSettings): () => Promise<void> {
  if (ledgerDays === null) return () => Promise.resolve();
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;
  let isElsewhere = false;
  const run = (): void => {
    running ??= archiveLedger(db, { folder, before: archivedBefore(ledgerDays, now()) }, stopping.signal)
      .then(({ archives, ...done }) => {
        isElsewhere = false;
        if (archives > 0) log.info({ archives, ...done }, 'archived old charges');
      })
      .catch((error: unknown) => {
        if (stopping.signal.aborted || (isElsewhere && error instanceof ArchiveElsewhere)) return;
        isElsewhere = error instanceof ArchiveElsewhere;
        log.warn(isElsewhere ? { reason: (error as Error).message } : { err: error }, 'archiving old charges failed');
      })
      .finally(() => (running = null));
  };
  run();
  const timer = setInterval(run, INTERVAL_MS);
  timer.unref();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await running;
  };
}

/**
 * Archives batches until nothing is left. @throws the errors of `archiveBatch`; batches before the error stay archived
 */
export async function archiveLedger(
  db: Database,
  { folder, before, rowsMax }: { folder: string; before: number; rowsMax?: number },
  signal?: AbortSignal,
): Promise<Archived> {
  const done: Archived = { archives: 0, rows: 0, daily: 0 };
  for (let from = 0; !signal?.aborted;) {
    const batch = await archiveBatch(db, { folder, before, from, ...(rowsMax !== undefined && { rowsMax }) });
    if (!batch) return done;
    done.archives++;
    done.rows += batch.archived;
    done.daily += batch.daily;
    from = batch.next;
    await sleep(signal ? PAUSE_MS : 0);
  }
  return done;
}
