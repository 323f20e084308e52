import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/schema';
import { archiveBatch, archivedBefore, ArchiveElsewhere } from './archive-ledger';

const INTERVAL_MS = 60 * 60_000;
/** Between two batches others have their turn. */
const PAUSE_MS = 250;

export interface ArchiverSettings {
  db: Database;
  /** Null archives nothing. */
  ledgerDays: number | null;
  folder: string;
  now: () => number;
  log: Logger;
}

/** What a run archived. */
export interface Archived {
  archives: number;
  rows: number;
  daily: number;
}

/** Archives what is old enough, now and every hour. @returns what ends it, after the batch that runs */
export function startArchiving({ db, ledgerDays, folder, now, log }: ArchiverSettings): () => Promise<void> {
  if (ledgerDays === null) return () => Promise.resolve();
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;
  let isElsewhere = false;
  const run = (): void => {
    running ??= archiveLedger(db, { folder, before: archivedBefore(ledgerDays, now()) }, stopping.signal)
      .then(({ archives, ...done }) => {
        isElsewhere = false;
        if (archives > 0) log.info({ archives, ...done }, 'charges of long ago were archived');
      })
      .catch((error: unknown) => {
        if (stopping.signal.aborted || (isElsewhere && error instanceof ArchiveElsewhere)) return;
        isElsewhere = error instanceof ArchiveElsewhere;
        log.warn(
          isElsewhere ? {} : { err: error },
          isElsewhere ? (error as Error).message : 'charges of long ago could not be archived',
        );
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

/** Archives batch after batch until nothing is left. @throws what `archiveBatch` throws, with what came before it done */
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
