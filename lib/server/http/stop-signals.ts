/**
 * Signals within this time count as one signal. Launchers such as npm pass on each signal to child processes that also
 * received it directly.
 */
const ECHOED_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface Signalled {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  removeAllListeners(signal: NodeJS.Signals): unknown;
  exit(code: number): void;
}

/**
 * On the first signal, calls `stop` and then exits with 0, or with 1 if `stop` failed. A second signal, at least a
 * second later, makes the process exit immediately. Removes other listeners of these signals.
 * @returns a function that stops and exits in the same way
 */
export function stopOnSignals(
  stop: () => Promise<void>,
  signalled: Signalled = process,
  now: () => number = () => performance.now(),
): () => void {
  let firstMs: number | null = null;
  const begin = (): void => {
    if (firstMs !== null) return;
    firstMs = now();
    stop().then(
      () => signalled.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        signalled.exit(1);
      },
    );
  };
  const hear = (): void => {
    if (firstMs === null) begin();
    else if (now() - firstMs >= ECHOED_SIGNAL_MS) signalled.exit(1);
  };
  for (const signal of SIGNALS) {
    signalled.removeAllListeners(signal);
    signalled.on(signal, hear);
  }
  return begin;
}
