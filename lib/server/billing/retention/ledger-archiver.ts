import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgres } from '../../db/is-postgres';
import type { Database } from '../../db/schema';
import { type LedgerRange, nextRange, slicesOf } from './archivable-rows';
import { archiveBatch, archivedBefore, ArchiveElsewhere } from './archive-ledger';
import type { ArchiverLog } from './archiving-thread';
import type { DailyRow } from './daily-rows';

const INTERVAL_MS = 60 * 60_000;
const ROWS_MAX = 2_000;
/** Rows per transaction. On SQLite, calls wait while a transaction runs. A transaction of 64 rows takes about 1 ms. */
const STEP_ROWS = { sqlite: 64, postgres: 1_000 };
/**
 * Target time from the start of one read or transaction to the start of the next. The pause after each is at least half
 * its duration, but at most this time.
 */
const PERIOD_MS = 4;

interface ArchiverSettings {
  db: Database;
  /** Null archives nothing. */
  ledgerDays: number | null;
  folder: string;
  now: () => number;
  log: ArchiverLog;
}

interface Archived {
  archives: number;
  rows: number;
  daily: number;
}

/** Archives old charges, now and every hour. @returns a function that stops after the current batch */
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

interface Archiving {
  folder: string;
  /** Start of a UTC day in Unix milliseconds. Older charges are archived. */
  before: number;
  rowsMax?: number;
  stepRows?: number;
  rangeRows?: number;
}

/**
 * Archives the ledger in ranges. Records where the next run begins: after the last range, or at the first range with
 * charges for videos that still exist.
 * @throws the errors of `archiveBatch`; earlier batches stay archived
 */
export async function archiveLedger(db: Database, archiving: Archiving, signal?: AbortSignal): Promise<Archived> {
  const { before, rangeRows } = archiving;
  const stepRows = isPostgres(db) ? STEP_ROWS.postgres : STEP_ROWS.sqlite;
  const done: Archived = { archives: 0, rows: 0, daily: 0 };
  const place = await db.selectFrom('ledger_archive_place').selectAll().executeTakeFirst();
  if (place && place.before_at >= before) return done;
  const rest = signal ? paced() : (): Promise<void> => sleep(0);
  let afterId = place?.through_id ?? 0;
  let isRemembered = true;
  for (;;) {
    const range = await nextRange(db, { afterId, before, rest, ...(rangeRows !== undefined && { rangeRows }) });
    const outcome = await archiveRange(db, range, { stepRows, ...archiving, rest }, done, signal);
    if (outcome === 'broken off') return done;
    isRemembered &&= outcome === 'complete';
    if (isRemembered) await remember(db, range);
    if (range.isLast || range.throughId <= afterId) return done;
    afterId = range.throughId;
  }
}

function paced(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    const workedMs = performance.now() - startedAt;
    await sleep(Math.min(PERIOD_MS, Math.max(workedMs / 2, PERIOD_MS - workedMs)));
    startedAt = performance.now();
  };
}

async function archiveRange(
  db: Database,
  range: LedgerRange,
  { folder, rowsMax = ROWS_MAX, stepRows, rest }: Archiving & { stepRows: number; rest: () => Promise<void> },
  done: Archived,
  signal: AbortSignal | undefined,
): Promise<'complete' | 'has videos' | 'broken off'> {
  let [hasVideos, readRows] = [false, 0];
  let [batch, rows]: [DailyRow[][], number] = [[], 0];
  const write = async (): Promise<boolean> => {
    if (batch.length === 0) return true;
    if (!(await archiveBatch(db, { folder, before: range.before, stepRows, rest }, batch))) return false;
    done.archives++;
    done.rows += rows;
    done.daily += batch.flat().length;
    [batch, rows] = [[], 0];
    await rest();
    return !signal?.aborted;
  };
  for await (const slice of slicesOf(db, range, Math.min(rowsMax, stepRows))) {
    if (signal?.aborted || (rows + slice.rows > rowsMax && !(await write()))) return 'broken off';
    if (slice.rows > 0) batch.push(slice.daily);
    rows += slice.rows;
    hasVideos ||= slice.hasVideos;
    readRows += slice.rows;
    if (readRows >= stepRows / 2) {
      await rest();
      readRows = 0;
    }
  }
  if (!(await write())) return 'broken off';
  return hasVideos ? 'has videos' : 'complete';
}

/**
 * Records where the next run begins. Never moves that place back, because another process may have archived further.
 */
async function remember(db: Database, { throughId, before }: LedgerRange): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const place = await transaction.selectFrom('ledger_archive_place').selectAll().executeTakeFirst();
    const values = { through_id: throughId, before_at: before };
    if (!place) await transaction.insertInto('ledger_archive_place').values(values).execute();
    else if (place.before_at <= before && place.through_id <= throughId)
      await transaction.updateTable('ledger_archive_place').set(values).execute();
  });
}
