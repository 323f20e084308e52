import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);

/**
 * The file of one chain's state, `state.json.gz`. It is always whole: each write goes to a file of its own, is synced,
 * and takes the place of the one before in one step.
 */
export class StateFile {
  readonly path: string;
  /** What anvil loads: it reads no compressed files. */
  readonly #loadedPath: string;

  constructor(readonly folder: string) {
    this.path = path.join(folder, 'state.json.gz');
    this.#loadedPath = path.join(folder, 'state.json');
  }

  /** Writes a state, compressed with gzip, and resolves when the disk has it. */
  async write(state: Uint8Array): Promise<void> {
    const fresh = `${this.path}.new`;
    await synced(fresh, 'w', (file) => file.writeFile(state));
    await fs.rename(fresh, this.path);
    // The new name is on disk when its folder is.
    await synced(this.folder, 'r', () => Promise.resolve());
  }

  /** Unpacks the state for anvil. @returns the file to load, undefined where there is no state yet */
  async unpack(): Promise<string | undefined> {
    const state = await readIfPresent(this.path);
    if (state !== undefined) await fs.writeFile(this.#loadedPath, await unzip(state).catch(() => state));
    // Without the compressed one, a state that an earlier version left.
    return state !== undefined || (await readIfPresent(this.#loadedPath)) !== undefined ? this.#loadedPath : undefined;
  }

  /** Moves a state that anvil refuses out of its way, and keeps it beside. @returns the name it has now */
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
