const PAGES_PER_MIB = 256;
/** Beyond this the log is begun anew under the write lock, since under steady load it never comes to rest by itself. */
const LOG_PAGES_MAX = 64 * PAGES_PER_MIB;
/** That is done when so little is left to copy that a writer hardly waits. */
const LEFT_PAGES_MAX = PAGES_PER_MIB;
/** Beyond this writers wait, however much is left: they write faster than the disk takes it. */
const LOG_PAGES_LIMIT = 1_024 * PAGES_PER_MIB;
/** Each round copies what was written during the one before. */
const ROUNDS_MAX = 8;

/** Runs a checkpoint of the log: `passive` beside writers, `restart` under their lock. Tells, as SQLite does, whether it was kept from it, the pages in the log, and those of them that are copied. */
export type RunCheckpoint = (
  mode: 'passive' | 'restart',
) => readonly [isBusy: number, logPages: number, copiedPages: number];

/**
 * Copies the write-ahead log into the database, and begins a long one anew once nearly all of it is copied: what is left
 * is copied under the lock of writers, and the gateway does nothing else while it waits for that.
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
