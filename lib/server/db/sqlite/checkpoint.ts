const PAGES_PER_MIB = 256;
/** Above this length in pages, the log is restarted, because under steady load the log is never fully copied. */
const LOG_PAGES_MAX = 64 * PAGES_PER_MIB;
/** Maximum uncopied pages at a restart, few enough not to block a writer for long. */
const LEFT_PAGES_MAX = PAGES_PER_MIB;
/**
 * Above this length in pages, the log is restarted with any number of uncopied pages. Writers, which are faster than
 * the disk, must then wait.
 */
const LOG_PAGES_LIMIT = 1_024 * PAGES_PER_MIB;
/** Maximum rounds. Each round copies the pages written during the previous round. */
const ROUNDS_MAX = 8;

/**
 * Runs a checkpoint: `passive` lets writers continue, and `restart` holds the write lock. Returns SQLite's result:
 * whether the checkpoint was blocked, the pages in the log, and the copied pages.
 */
type RunCheckpoint = (mode: 'passive' | 'restart') => readonly [isBusy: number, logPages: number, copiedPages: number];

/**
 * Copies the write-ahead log into the database. Restarts a long log only once nearly all of it is copied, because a
 * restart copies the rest under the write lock while the gateway waits.
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
