/** A signal to a process group reaches the server several times, as its launchers pass it on: within this time it is one. */
const ECHOED_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What the process does for signals; a test brings its own. */
export interface Signalled {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  removeAllListeners(signal: NodeJS.Signals): unknown;
  exit(code: number): void;
}

/**
 * Calls `stop` once, on the first signal to end, and ends the process when that is through: with 0, or with 1 if it
 * failed. A second signal, a second or more later, is from somebody who does not want to wait: the process ends at once.
 * Others who listen for these signals hear of them no more.
 * @returns the same as a function, for another reason to stop than a signal.
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
