/**
 * Work that everybody who needs it at the same time shares: who comes while it runs waits for the same. What it
 * comes to is not kept.
 */
export class SharedWork<T> {
  #running: Promise<T> | null = null;

  /** Joins what runs, or starts it. A caller that gives up leaves the work to the others. @throws the reason of `signal`, and what the work rejects with */
  join(work: () => Promise<T>, signal?: AbortSignal | null): Promise<T> {
    if (this.#running === null) {
      const running = work().finally(() => {
        if (this.#running === running) this.#running = null;
      });
      // Whoever waits hears of a failure; where all have given up nobody has to.
      running.catch(() => undefined);
      this.#running = running;
    }
    return unlessAborted(this.#running, signal);
  }
}

/** The same promise for somebody who may give up. @throws the reason of `signal` */
export function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal | null): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits. @throws the reason of `signal` */
export async function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}
