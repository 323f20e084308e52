import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-liveness';

/** Longer than a guard lets a chain of an ended sandbox live. */
const WAIT_MS_MAX = 7_000;
/** Whoever runs a chain says so every second; a pid for which nobody does is another program's by now. */
const FRESH_MS = 10_000;
const POLL_MS = 20;

/**
 * Notes which process runs on a chain's folder, so that no second one starts on it: two would
 * overwrite each other's state.
 */
export class FolderOwner {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, 'anvil.pid');
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
      if (performance.now() > deadlineMs)
        throw new Error(`process ${pid} of another sandbox is running it on the same data folder`);
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  async set(pid: number): Promise<void> {
    await fs.writeFile(this.#file, `${pid}\n`);
  }

  /** Says that the process still runs; to be said every second. */
  async touch(): Promise<void> {
    const now = new Date();
    await fs.utimes(this.#file, now, now).catch(() => undefined);
  }

  async clear(): Promise<void> {
    await fs.rm(this.#file, { force: true });
  }

  async #runningPid(): Promise<number | undefined> {
    const text = await fs.readFile(this.#file, 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    if (!(pid > 0) || !isRunning(pid)) return undefined;
    const { mtimeMs } = await fs.stat(this.#file);
    return Date.now() - mtimeMs < FRESH_MS ? pid : undefined;
  }
}
