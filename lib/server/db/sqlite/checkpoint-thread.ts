import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';

/** Program of the thread. The file exists only if the gateway was bundled. */
const THREAD_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'checkpointer.mjs');

/**
 * Runs checkpoints of the write-ahead log in a separate thread, because they wait for the disk and would block every
 * call. If the thread fails, the connections make checkpoints themselves.
 * @returns a function that stops the thread
 */
export async function startCheckpoints(
  file: string,
  connections: readonly DatabaseSync[],
): Promise<() => Promise<unknown>> {
  if (!existsSync(THREAD_FILE)) return () => Promise.resolve();
  const worker = new Worker(THREAD_FILE, { workerData: { file } });
  const online = new Promise<boolean>((resolve) => {
    worker.once('online', () => resolve(true));
    worker.once('error', () => resolve(false));
  });
  const checkpointEvery = (pages: number): void => {
    for (const connection of connections) connection.exec(`pragma wal_autocheckpoint = ${pages}`);
  };
  if (await online) checkpointEvery(0);
  // From now on, a running thread does not keep the process alive.
  worker.unref();
  let stopping = false;
  worker.on('error', () => {
    if (!stopping) checkpointEvery(1_000);
  });
  let ended = false;
  const end = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => (ended = true));
  return () => {
    stopping = true;
    // Keeps the process alive until the thread ends by itself, because terminating a thread inside SQLite code ends the
    // whole process.
    if (!ended) worker.ref();
    worker.postMessage('stop');
    return end;
  };
}
