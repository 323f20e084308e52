const PAGES_PER_MIB = 256;
/**
 * Number of pages above which the log is restarted. Under steady load, the log would otherwise grow, because it is
 * never fully copied.
 */
const LOG_PAGES_MAX = 64 * PAGES_PER_MIB;
/** Maximum number of uncopied pages at a restart. Copying this few pages delays a writer only briefly. */
const LEFT_PAGES_MAX = PAGES_PER_MIB;
/**
 * Number of pages above which the log is restarted even if many pages are not copied. If the log is this long, writers
 * are faster than the disk and must wait.
 */
const LOG_PAGES_LIMIT = 1_024 * PAGES_PER_MIB;
/** Maximum rounds. Each round copies the pages written during the previous round. */
const ROUNDS_MAX = 8;

/**
 * Runs a checkpoint: `passive` lets writers continue, `restart` holds the write lock. Returns SQLite's result: whether
 * another connection blocked the checkpoint, the number of pages in the log, and the number of copied pages.
 */
type RunCheckpoint = (mode: 'passive' | 'restart') => readonly [isBusy: number, logPages: number, copiedPages: number];

/**
 * Copies the write-ahead log into the database. Restarts a long log when nearly all of it is copied, because a restart
 * copies the rest while writers wait.
 */
export function checkpoint(run: RunCheckpoint): void {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const [, logPages, copiedPages] = run('passive');
    if (logPages <= LOG_PAGES_MAX) return;
    if (logPages - copiedPages > LEFT_PAGES_MAX && logPages <= LOG_PAGES_LIMIT) continue;
    run('restart');
    return;
  }
}
