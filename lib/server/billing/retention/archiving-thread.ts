import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Program of the thread. The file exists only if the gateway was bundled. */
const THREAD_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'archiver.mjs');
const YOUNG_GENERATION_MIB = 16;

export interface ArchivingPlace {
  dataDir: string;
  ledgerDays: number;
  folder: string;
}

export interface ArchiverLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

const lineSchema = z.object({ level: z.enum(['info', 'warn']), facts: z.looseObject({}), text: z.string() });

/**
 * Archives a SQLite ledger in a thread with its own connection, so that calls wait only for its short transactions.
 * @param onFailure called if the thread fails, which ends the thread
 * @returns a function that stops the thread after its current batch; null if the program file is missing
 */
export function startArchivingThread(
  place: ArchivingPlace,
  log: ArchiverLog,
  onFailure: (error: unknown) => void,
  file = THREAD_FILE,
): (() => Promise<void>) | null {
  if (!existsSync(file)) return null;
  const worker = new Worker(file, {
    workerData: place,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
  });
  worker.on('message', (message: unknown) => {
    const { level, facts, text } = lineSchema.parse(message);
    log[level](facts, text);
  });
  worker.on('error', onFailure);
  let ended = false;
  const end = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => void (ended = true));
  worker.unref();
  return () => {
    // Keeps the process alive until the thread ends.
    if (!ended) worker.ref();
    worker.postMessage('stop');
    return end;
  };
}
