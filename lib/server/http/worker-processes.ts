import cluster, { type Worker } from 'node:cluster';

/** Delay before the gateway replaces a worker that died. The delay doubles each time. */
const RESTART_MS = 1_000;
const RESTART_MS_MAX = 60_000;
const WELL_AFTER_MS = 60_000;
/** Exit code for a bad configuration, the same as in `config/faults.ts`. A restart would not help. */
const CONFIGURATION_EXIT_CODE = 78;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface WorkerProcessesOptions {
  exec: string;
  count: number;
  /** Default: one second. */
  restartMs?: number;
}

/**
 * Runs a program in several processes, which share a port and get connections in turn. Replaces a dead process after a
 * growing delay, unless its configuration was bad. A dead process's reservations expire. Passes signals to the
 * processes. Exits after the last process has ended: with 78 for a bad configuration, 1 for another failure, else 0.
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
    pass(signal);
    if (workers().length === 0) process.exit(exitCode);
  };
  cluster.on('message', (_worker, message: { type?: unknown }) => {
    if (message?.type === 'failed' && !isReady) exitCode = 1;
    if (message?.type !== 'ready' || isReady) return;
    isReady = true;
    if (process.send) process.send(message);
    else
      process.stdout.write(
        `Turnpike is ready at ${String((message as { url?: unknown }).url)}, on ${count} ${count === 1 ? 'process' : 'processes'}\n`,
      );
    // The first worker starts alone and migrates the store, so that a failed migration is reported once.
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
      process.stderr.write(`${ended} and is not replaced, because the configuration cannot be used.\n`);
      return workers().length === 0 ? process.exit(code) : undefined;
    }
    if (livedMs >= WELL_AFTER_MS) pauseMs = restartMs;
    process.stderr.write(`${ended}. A new process starts in ${pauseMs / 1_000} s.\n`);
    setTimeout(start, pauseMs);
    pauseMs = Math.min(RESTART_MS_MAX, pauseMs * 2);
  });
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop(signal));
  // The processes reload their configuration.
  process.on('SIGHUP', () => pass('SIGHUP'));
  if (process.send) process.on('disconnect', () => stop('SIGTERM'));
  start();
}

function pass(signal: NodeJS.Signals): void {
  for (const worker of workers()) worker.process.kill(signal);
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
