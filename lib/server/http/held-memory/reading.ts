/** Large answer that its reader has not accepted completely. */
export class Reading {
  progressAt: number;
  /** True if the reader was disconnected because it accepted nothing. */
  isGivenUp = false;
  #isOver = false;

  /**
   * @param giveUp disconnects the reader
   * @param onEnd called once, with whether the memory may be freed now
   */
  constructor(
    private readonly now: () => number,
    readonly giveUp: () => void,
    private readonly onEnd: (mayFree: boolean) => void,
  ) {
    this.progressAt = now();
  }

  /** Called when the kernel accepts a part of the answer. */
  progressed(): void {
    this.progressAt = this.now();
  }

  /**
   * Called when the reader has the answer or has disconnected.
   * @param mayFree false if a pending write may still use the memory
   */
  end(mayFree: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(mayFree);
  }
}
