/** Work that concurrent callers share. The result is not cached. */
export class SharedWork<T> {
  #running: Promise<T> | null = null;

  /**
   * Joins the running work, or starts it. If a caller cancels, the work continues for the other callers.
   *
   * @throws the reason of `signal`, and the work's error
   */
  join(work: () => Promise<T>, signal?: AbortSignal | null): Promise<T> {
    if (this.#running === null) {
      const running = work().finally(() => {
        if (this.#running === running) this.#running = null;
      });
      // Prevents an unhandled rejection if every caller has cancelled.
      running.catch(() => undefined);
      this.#running = running;
    }
    return unlessAborted(this.#running, signal);
  }
}

/** Rejects early if the signal aborts, while the work continues. @throws the reason of `signal` */
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
