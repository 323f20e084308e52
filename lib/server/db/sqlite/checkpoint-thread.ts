import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Sqlite from 'libsql';

/** The bundled thread, beside the other programs. Sources that run unbundled have none. */
const THREAD_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'checkpointer.mjs');

/**
 * Moves checkpoints of the write-ahead log to a thread: they wait for the disk, and on the way of a call that wait
 * would be everybody's. Where there is no thread, or it ends, the connection checkpoints by itself, as SQLite does.
 * @returns how to stop it.
 */
export async function startCheckpoints(file: string, connection: Sqlite.Database): Promise<() => Promise<unknown>> {
  if (!existsSync(THREAD_FILE)) return () => Promise.resolve();
  const worker = new Worker(THREAD_FILE, { workerData: { file } });
  const online = new Promise<boolean>((resolve) => {
    worker.once('online', () => resolve(true));
    worker.once('error', () => resolve(false));
  });
  if (await online) connection.pragma('wal_autocheckpoint = 0');
  // It must not keep a process alive whose work is done; until here it must, lest that end while it starts.
  worker.unref();
  let stopping = false;
  worker.on('error', () => {
    if (!stopping) connection.pragma('wal_autocheckpoint = 1000');
  });
  let ended = false;
  const end = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => (ended = true));
  return () => {
    stopping = true;
    // It ends by itself: a thread that is terminated inside the database takes the process with it.
    if (!ended) worker.ref();
    worker.postMessage('stop');
    return end;
  };
}
