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
   * Ends the reading: the reader has the answer or has left.
   * @param mayFree false if a write may still read the memory
   */
  end(mayFree: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(mayFree);
  }
}
