import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns whether a process with this id runs. On Linux, an unreaped zombie counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The process name is in parentheses and may contain spaces and parentheses.
    const state = stat.charAt(stat.lastIndexOf(')') + 2);
    return state === 'Z' || state === 'X';
  } catch {
    return true;
  }
}

/** Maximum wait for a free folder: longer than a chain can run after its sandbox has ended. */
const WAIT_MS_MAX = 7_000;
/**
 * From this age on, a heartbeat is stale: its pid may belong to another process. A running owner renews the heartbeat
 * every second.
 */
const FRESH_MS = 10_000;
const POLL_MS = 20;

/** Records which process uses a chain's folder. Two processes on one folder would overwrite each other's state. */
export class FolderOwner {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = path.join(folder, 'anvil.pid');
  }

  /**
   * Resolves when no process uses the folder.
   * @throws {Error} if a process still uses the folder after `waitMsMax`; AbortError when `signal` aborts
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
