/** Between two of a crowd: about five times what one takes. */
const REST_MS = 4;

/**
 * Lets one through at a time, in the order in which they came, and has a crowd rest between two.
 *
 * Reading a stranger's payment takes about a millisecond of the one thread that serves everybody, most of it for a
 * signature. A paid call comes back to the loop several times before it is answered, and where each turn of the loop
 * held a stranger's payment, it would wait for one each time. Who comes alone does not wait.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #restsUntilMs = 0;

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const restMs = this.#restsUntilMs - performance.now();
    if (restMs > 0) setTimeout(() => this.#letThrough(), Math.ceil(restMs));
    else setImmediate(() => this.#letThrough());
  }

  #letThrough(): void {
    this.#isScheduled = false;
    this.#restsUntilMs = performance.now() + REST_MS;
    this.#waiting.shift()?.();
    this.#schedule();
  }
}
