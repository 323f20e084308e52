import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * The files of one chain's state. Anvil writes `state.json` in place, so a process killed in that
 * instant leaves half a file. `checkpoint.json` is a copy that is always whole: it is checked before
 * it takes the place of the one before, in one step.
 */
export class StateFile {
  readonly path: string;
  readonly #checkpointPath: string;

  constructor(readonly folder: string) {
    this.path = path.join(folder, 'state.json');
    this.#checkpointPath = path.join(folder, 'checkpoint.json');
  }

  /** Copies the state if it is whole and differs from the last copy; says whether it did. A half-written state is left for the next time. */
  async checkpoint(): Promise<boolean> {
    const [state, copy] = await Promise.all([readIfPresent(this.path), readIfPresent(this.#checkpointPath)]);
    if (state === undefined || (copy !== undefined && state.equals(copy)) || !isWhole(state)) return false;
    const fresh = `${this.#checkpointPath}.new`;
    await fs.writeFile(fresh, state);
    await fs.rename(fresh, this.#checkpointPath);
    return true;
  }

  /**
   * Moves a state that anvil refuses out of its way, and puts the checkpoint in its place if that is
   * another one. What is moved aside is kept beside it.
   *
   * @returns the name it has now, and whether a checkpoint took its place; without one the chain starts anew
   */
  async setAside(): Promise<{ keptAs: string; restored: boolean }> {
    const keptAs = `refused-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
    const [state, copy] = await Promise.all([readIfPresent(this.path), readIfPresent(this.#checkpointPath)]);
    await fs.rename(this.path, path.join(this.folder, keptAs));
    const restored = copy !== undefined && !(state?.equals(copy) ?? false);
    if (restored) await fs.copyFile(this.#checkpointPath, this.path);
    return { keptAs, restored };
  }

  /** How long ago the state was written, in ms; Infinity if it never was. */
  async ageMs(): Promise<number> {
    const stat = await fs.stat(this.path).catch(() => undefined);
    return stat === undefined ? Infinity : Date.now() - stat.mtimeMs;
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

function isWhole(state: Buffer): boolean {
  try {
    JSON.parse(state.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
