import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

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

  /** Unpacks the state for anvil. @returns the file to load, undefined if there is no state */
  async unpack(): Promise<string | undefined> {
    const state = await readIfPresent(this.path);
    if (state !== undefined) await fs.writeFile(this.#loadedPath, await unzip(state).catch(() => state));
    // Earlier versions of the sandbox stored only the uncompressed file.
    return state !== undefined || (await readIfPresent(this.#loadedPath)) !== undefined ? this.#loadedPath : undefined;
  }

  /** Renames a state file that anvil refuses. @returns the new name */
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
