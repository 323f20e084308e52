import { openSync, readSync } from 'node:fs';

/** Where files and what is mapped of them are one in memory. */
const COHERENT_PLATFORMS: readonly NodeJS.Platform[] = ['linux', 'darwin'];
/** Of `iChange` in the header of the WAL index (https://sqlite.org/walformat.html, section 2.1). */
const OFFSET = 8;

/**
 * Counts the commits of all connections to a database, in whichever process. SQLite keeps the count in the header of the
 * WAL index, where it takes a fifth of the time to read that `PRAGMA data_version` takes, which locks the database first.
 *
 * The file is opened once and never closed: with any descriptor of a file that a process closes, it loses its locks on
 * that file (fcntl(2)), and those of SQLite's connections are on this one.
 */
export class CommitCounter {
  #file: number | null = null;
  #isTrusted = COHERENT_PLATFORMS.includes(process.platform);
  readonly #count = new Uint32Array(1);
  readonly #bytes = new Uint8Array(this.#count.buffer);

  /** @param databaseFile in WAL mode, which this process has open for as long as this is used */
  constructor(private readonly databaseFile: string) {}

  /** How many there were, modulo 2^32, from an arbitrary start; NaN where that cannot be told. A commit counts once it is done. */
  read(): number {
    if (!this.#isTrusted) return NaN;
    this.#file ??= this.#open();
    if (this.#file === null || readSync(this.#file, this.#bytes, 0, 4, OFFSET) !== 4) return NaN;
    return this.#count[0] as number;
  }

  /** A commit did not show: here files and what is mapped of them are two. Nothing is told from here on. */
  distrust(): void {
    this.#isTrusted = false;
  }

  #open(): number | null {
    try {
      return openSync(`${this.databaseFile}-shm`, 'r');
    } catch {
      // It is there once a connection has read.
      return null;
    }
  }
}

/** The count after one more. */
export function nextCount(count: number): number {
  return (count + 1) >>> 0;
}
