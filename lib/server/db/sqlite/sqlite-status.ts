import { statfs } from 'node:fs/promises';
import type Sqlite from 'libsql';
import type { Logger } from 'pino';
import type { StoreStatus, StoreTrouble, WriteGuard } from '../store-status';
import { isDiskFull, storeFull } from './store-full';

const LOOK_MS = 2_000;
/** Room must be this much more than the least before work is taken again, or it would come and go at the edge. */
const HYSTERESIS = 1.25;
/** What a probe writes: more than what the pages have that are there already. */
const PROBE_BYTES = 65_536;
const PROBE = 'probe';

export interface SqliteStatusSettings {
  dataDir: string;
  /** Below this much room on the disk no paid work is taken, so that what runs can still be charged. */
  freeBytesMin: number;
  log: Logger;
  lookMs?: number;
}

/**
 * Whether SQLite's disk has room. It is looked at every two seconds, and whenever a write fails; while it is full, a
 * write is tried at each look, and work is taken again once that succeeds and there is room. The log says both once.
 */
export class SqliteStatus implements StoreStatus, WriteGuard {
  trouble: 'full' | null = null;
  since: number | null = null;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(
    private readonly connection: Sqlite.Database,
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
    this.#full(`SQLite could not write (${String((error as { code?: unknown }).code)})`);
    return storeFull(error);
  }

  /** Readable always, where it is open. */
  async check(): Promise<StoreTrouble | null> {
    await this.look();
    return this.trouble;
  }

  /** Looks at the disk. Never throws. */
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
            `${mebibytes(freeBytes)} MiB are free, and at least ${mebibytes(freeBytesMin)} MiB are kept for what runs`,
          );
      } else if (freeBytes >= freeBytesMin * HYSTERESIS && this.#canWrite()) this.#recovered();
    } catch {
      // A folder that cannot be looked at is told of by the writes that fail.
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
      if (this.connection.inTransaction) this.connection.exec('rollback');
      return false;
    }
  }

  #full(reason: string): void {
    if (this.trouble) return;
    this.trouble = 'full';
    this.since = Date.now();
    this.settings.log.error(
      { store: 'full', dataDir: this.settings.dataDir },
      `the disk of the data folder is full: ${reason}. Paid work is refused until there is room`,
    );
  }

  #recovered(): void {
    const seconds = Math.round((Date.now() - (this.since ?? Date.now())) / 1_000);
    this.trouble = null;
    this.since = null;
    this.settings.log.info(
      { store: 'ok' },
      `there is room on the disk of the data folder again, after ${seconds} s: paid work is taken`,
    );
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
