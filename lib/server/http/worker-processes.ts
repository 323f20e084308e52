import cluster, { type Worker } from 'node:cluster';

/** Before a worker that died is replaced, doubled with each that dies after it. */
const RESTART_MS = 1_000;
const RESTART_MS_MAX = 60_000;
/** One that lived for so long was well: the next pause is the first again. */
const WELL_AFTER_MS = 60_000;
/** As `CONFIGURATION_EXIT_CODE` of the configuration has it: to start again would change nothing. */
const CONFIGURATION_EXIT_CODE = 78;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface WorkerProcessesOptions {
  /** The program of each, which serves by itself where it is started alone. */
  exec: string;
  count: number;
  /** The first pause before a worker is replaced; a second unless given. */
  restartMs?: number;
}

/**
 * Keeps so many processes of a program, which share its port: connections are handed to them in turn. One that dies is
 * replaced after a pause, which grows with each; what it had reserved expires with its lease. One that ends for its
 * configuration is not replaced. A signal goes to all of them, and this process ends when they have: with 0, or with 1
 * where one failed. What keeps the first from starting ends all.
 */
export function superviseWorkers({ exec, count, restartMs = RESTART_MS }: WorkerProcessesOptions): void {
  cluster.setupPrimary({ exec });
  let isStopping = false;
  let exitCode = 0;
  let isReady = false;
  let pauseMs = restartMs;
  const startedAt = new Map<number, number>();
  const start = (): void => {
    if (!isStopping) startedAt.set(cluster.fork().id, performance.now());
  };
  const stop = (signal: NodeJS.Signals): void => {
    isStopping = true;
    for (const worker of workers()) worker.process.kill(signal);
    if (workers().length === 0) process.exit(exitCode);
  };
  cluster.on('message', (_worker, message: { type?: unknown }) => {
    if (message?.type === 'failed' && !isReady) exitCode = 1;
    if (message?.type !== 'ready' || isReady) return;
    isReady = true;
    if (process.send) process.send(message);
    else
      process.stdout.write(
        `Turnpike is ready at ${String((message as { url?: unknown }).url)}, on ${count} processes\n`,
      );
    // The first migrates the store, and says what is wrong with it once.
    for (let further = 1; further < count; further++) start();
  });
  cluster.on('exit', (worker: Worker, code: number, signal: string | null) => {
    const livedMs = performance.now() - (startedAt.get(worker.id) ?? 0);
    startedAt.delete(worker.id);
    if (isStopping && (code !== 0 || signal !== null)) exitCode = 1;
    if (!isReady && !isStopping) process.exit(code === CONFIGURATION_EXIT_CODE ? code : 1);
    if (isStopping) return workers().length === 0 ? process.exit(exitCode) : undefined;
    const ended = `A gateway process ended (${signal ?? `code ${code}`})`;
    if (code === CONFIGURATION_EXIT_CODE) {
      process.stderr.write(`${ended}. Its configuration cannot be used, so it is not replaced.\n`);
      return workers().length === 0 ? process.exit(code) : undefined;
    }
    if (livedMs >= WELL_AFTER_MS) pauseMs = restartMs;
    process.stderr.write(`${ended}. It is replaced in ${pauseMs / 1_000} s.\n`);
    setTimeout(start, pauseMs);
    pauseMs = Math.min(RESTART_MS_MAX, pauseMs * 2);
  });
  for (const signal of SIGNALS) process.on(signal, () => stop(signal));
  if (process.send) process.on('disconnect', () => stop('SIGTERM'));
  start();
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
