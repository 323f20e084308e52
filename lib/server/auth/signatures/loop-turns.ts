/**
 * Runs signature checks one at a time, with pauses while several wait. A check occupies the only thread for up to 1 ms.
 * Without pauses, checks would delay paid calls in every turn of the event loop.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #restsUntilMs = 0;

  /** @param restMs pause between checks while several wait, about five times as long as a check */
  constructor(private readonly restMs: number) {}

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
