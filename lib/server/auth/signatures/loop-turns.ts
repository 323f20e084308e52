/**
 * Lets one through at a time, in the order in which they came, and has a crowd rest between two.
 *
 * A stranger's signature takes up to a millisecond of the one thread that serves everybody. A paid call comes back to
 * the loop several times before it is answered, and where each turn of the loop held a signature, it would wait for
 * one each time. Who comes alone does not wait.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #restsUntilMs = 0;

  /** @param restMs between two of a crowd: about five times what one takes. */
  constructor(private readonly restMs: number) {}

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
    this.#restsUntilMs = performance.now() + this.restMs;
    this.#waiting.shift()?.();
    this.#schedule();
  }
}
