import cluster, { type Worker } from 'node:cluster';

/** A worker that ends sooner than this after its start is started again later: it may never come up. */
const QUICK_END_MS = 5_000;
const RESTART_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface WorkerProcessesOptions {
  /** The program of each, which serves by itself where it is started alone. */
  exec: string;
  count: number;
  /** Waits so long before it replaces a worker that ended at once; a second unless given. */
  restartMs?: number;
}

/**
 * Keeps so many processes of a program, which share its port: connections are handed to them in turn, and one that
 * dies is replaced. What it had reserved expires with its lease. A signal goes to all of them, and this process ends
 * when they have: with 0, or with 1 where one failed. What keeps the first from starting ends all.
 */
export function superviseWorkers({ exec, count, restartMs = RESTART_MS }: WorkerProcessesOptions): void {
  cluster.setupPrimary({ exec });
  let isStopping = false;
  let exitCode = 0;
  let isReady = false;
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
    else process.stdout.write(`Turnpike is ready at ${String((message as { url?: unknown }).url)}, on ${count} processes\n`);
    // The first migrates the store, and says what is wrong with it once.
    for (let further = 1; further < count; further++) start();
  });
  cluster.on('exit', (worker: Worker, code: number, signal: string | null) => {
    const livedMs = performance.now() - (startedAt.get(worker.id) ?? 0);
    startedAt.delete(worker.id);
    if (isStopping && (code !== 0 || signal !== null)) exitCode = 1;
    if (!isReady && !isStopping) process.exit(1);
    if (isStopping) return workers().length === 0 ? process.exit(exitCode) : undefined;
    process.stderr.write(`A gateway process ended (${signal ?? `code ${code}`}), and is replaced.\n`);
    setTimeout(start, livedMs < QUICK_END_MS ? restartMs : 0);
  });
  for (const signal of SIGNALS) process.on(signal, () => stop(signal));
  if (process.send) process.on('disconnect', () => stop('SIGTERM'));
  start();
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
