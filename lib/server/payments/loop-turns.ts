/**
 * Lets one through for each turn of the event loop, in the order in which they came.
 *
 * Reading a stranger's payment takes about a millisecond of the one thread that serves everybody, most of it for a
 * signature. Sixteen that come at once would hold every paid call for their sum; so each lets what else has come in go
 * first.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when it is the caller's turn; nobody else is let through in that turn of the loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      // From within an immediate, another one waits until the loop has looked for input.
      this.#schedule();
    });
  }
}
