import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/**
 * Ensures that callers see only state that is on disk. Every change to the chain runs inside `write`. Every answer
 * about the chain waits for `settled`.
 *
 * Changes never run during a save, so the saved state is consistent. Concurrent changes share one save.
 */
export class DurableState {
  #writers = 0;
  #isDirty = false;
  #saving: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @param save writes the chain's state to disk and syncs the file; it rejects if that fails */
  constructor(private readonly save: () => Promise<void>) {}

  /** Runs a change. Await `settled` to know that the result is on disk. */
  async write<Result>(change: () => Promise<Result>): Promise<Result> {
    while (this.#saving) await this.#saving.catch(() => undefined);
    this.#writers += 1;
    this.#isDirty = true;
    try {
      return await change();
    } finally {
      this.#writers -= 1;
      if (this.#writers === 0) this.#onIdle?.();
    }
  }

  /**
   * Resolves once the current state is on disk.
   *
   * @throws {Error} if the write failed. The next call retries.
   */
  settled(): Promise<void> {
    if (!this.#isDirty) return Promise.resolve();
    this.#saving ??= this.#saveOnceIdle().finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #saveOnceIdle(): Promise<void> {
    if (this.#writers > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#onIdle = undefined;
    await this.save();
    this.#isDirty = false;
  }
}

const unzip = promisify(gunzip);

/**
 * State file of one chain, `state.json.gz`. The file is always complete: each write syncs a new file, which then
 * replaces the old file.
 */
export class StateFile {
  readonly path: string;
  readonly #loadedPath: string;

  constructor(readonly folder: string) {
    this.path = path.join(folder, 'state.json.gz');
    this.#loadedPath = path.join(folder, 'state.json');
  }

  /** Writes a state, compressed with gzip. Resolves when the file is on disk. */
  async write(state: Uint8Array): Promise<void> {
    const fresh = `${this.path}.new`;
    await synced(fresh, 'w', (file) => file.writeFile(state));
    await fs.rename(fresh, this.path);
    // The rename is durable once the folder is synced.
    await synced(this.folder, 'r', () => Promise.resolve());
  }

  /** Unpacks the state for anvil. @returns file to load, undefined if there is no state */
  async unpack(): Promise<string | undefined> {
    const state = await readIfPresent(this.path);
    if (state !== undefined) await fs.writeFile(this.#loadedPath, await unzip(state).catch(() => state));
    // Earlier versions of the sandbox stored only the uncompressed file.
    return state !== undefined || (await readIfPresent(this.#loadedPath)) !== undefined ? this.#loadedPath : undefined;
  }

  /** Renames a state file that anvil refuses. @returns new name */
  async setAside(): Promise<string> {
    const keptAs = `refused-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
    await fs.rename(this.#loadedPath, path.join(this.folder, keptAs));
    await fs.rm(this.path, { force: true });
    return keptAs;
  }
}

async function synced(file: string, flags: string, work: (handle: fs.FileHandle) => Promise<void>): Promise<void> {
  const handle = await fs.open(file, flags);
  try {
    await work(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await fs.readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
