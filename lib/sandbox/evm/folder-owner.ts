import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-liveness';
import type { StateFile } from './state-file';

/** Longer than a guard lets a chain of an ended sandbox live. */
const WAIT_MS_MAX = 7_000;
/** A running chain writes its state every second; a pid that does not is somebody else's by now. */
const STATE_FRESH_MS = 10_000;
const POLL_MS = 20;

/**
 * Notes which process runs on a chain's folder, so that no second one starts on it: two would
 * overwrite each other's state. After a sandbox was killed, its chains may still be writing theirs.
 */
export class FolderOwner {
  readonly #file: string;

  constructor(private readonly state: StateFile) {
    this.#file = path.join(state.folder, 'anvil.pid');
  }

  /**
   * Resolves when nobody runs on the folder.
   *
   * @throws {Error} in a sentence, where a process still does after `waitMsMax`; AbortError when `signal` aborts
   */
  async waitUntilFree(signal: AbortSignal, waitMsMax: number = WAIT_MS_MAX): Promise<void> {
    const deadlineMs = performance.now() + waitMsMax;
    for (;;) {
      const pid = await this.#runningPid();
      if (pid === undefined) return;
      if (performance.now() > deadlineMs) throw new Error(`process ${pid} of another sandbox is running it on the same data folder`);
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  async set(pid: number): Promise<void> {
    await fs.writeFile(this.#file, `${pid}\n`);
  }

  async clear(): Promise<void> {
    await fs.rm(this.#file, { force: true });
  }

  async #runningPid(): Promise<number | undefined> {
    const text = await fs.readFile(this.#file, 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    if (!(pid > 0) || !isRunning(pid)) return undefined;
    return (await this.state.ageMs()) < STATE_FRESH_MS ? pid : undefined;
  }
}
