import { statfs } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { StoreStatus, StoreTrouble, WriteGuard } from '../store-status';
import { isDiskFull, storeFull } from './store-full';

const LOOK_MS = 2_000;
/** Paid work resumes only at this multiple of `freeBytesMin`, so that it does not stop and resume repeatedly. */
const HYSTERESIS = 1.25;
/** Number of bytes that a probe writes. It is so large that SQLite needs new pages. */
const PROBE_BYTES = 65_536;
const PROBE = 'probe';

interface SqliteStatusSettings {
  dataDir: string;
  /** Paid work is refused below this number of free bytes, so that running work can still be charged. */
  freeBytesMin: number;
  log: Logger;
  lookMs?: number;
}

/**
 * Checks every two seconds whether SQLite's disk has room. Notes failed writes. After the disk was full, waits for
 * enough free bytes, then tries a write, and resumes work if the write succeeds. Logs each change once.
 */
export class SqliteStatus implements StoreStatus, WriteGuard {
  trouble: 'full' | null = null;
  since: number | null = null;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(
    private readonly connection: DatabaseSync,
    private readonly settings: SqliteStatusSettings,
  ) {
    this.#timer = setInterval(() => void this.look(), settings.lookMs ?? LOOK_MS);
    this.#timer.unref();
  }

  assertWritable(): void {
    if (this.trouble) throw storeFull();
  }

  failed(error: Error): Error {
    if (!isDiskFull(error)) return error;
    this.#full(`SQLite could not write (${error.message})`);
    return storeFull(error);
  }

  /** An open SQLite database can always be read, so this reports only a full disk. */
  async check(): Promise<StoreTrouble | null> {
    await this.look();
    return this.trouble;
  }

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { freeBytesMin, dataDir } = this.settings;
      const { bavail, bsize } = await statfs(dataDir);
      const freeBytes = bavail * bsize;
      if (this.trouble === null) {
        if (freeBytes < freeBytesMin)
          this.#full(
            `${mebibytes(freeBytes)} MiB are free, less than the ${mebibytes(freeBytesMin)} MiB that running work needs`,
          );
      } else if (freeBytes >= freeBytesMin * HYSTERESIS && this.#canWrite()) this.#recovered();
    } catch {
      // Ignores a folder that is not accessible, because the next write fails and reports it.
    } finally {
      this.#isLooking = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #canWrite(): boolean {
    try {
      this.connection.exec('begin immediate');
      this.connection
        .prepare(
          'insert into installation (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        )
        .run(PROBE, '0'.repeat(PROBE_BYTES));
      this.connection.exec('commit');
      this.connection.prepare('delete from installation where name = ?').run(PROBE);
      return true;
    } catch {
      if (this.connection.isTransaction) this.connection.exec('rollback');
      return false;
    }
  }

  #full(reason: string): void {
    if (this.trouble) return;
    this.trouble = 'full';
    this.since = Date.now();
    this.settings.log.error(
      { store: 'full', dataDir: this.settings.dataDir, reason },
      "refused new paid work because the data folder's disk is full",
    );
  }

  #recovered(): void {
    const seconds = Math.round((Date.now() - (this.since ?? Date.now())) / 1_000);
    this.trouble = null;
    this.since = null;
    this.settings.log.info(
      { store: 'ok', seconds },
      "accepted paid work again because the data folder's disk has room",
    );
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
