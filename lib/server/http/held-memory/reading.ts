/** A large answer that its reader has not taken all of. */
export class Reading {
  /** When its reader last took a part of it. */
  progressAt: number;
  /** Whether its reader was disconnected for taking nothing. */
  isGivenUp = false;
  #isOver = false;

  /**
   * @param giveUp disconnects the reader
   * @param onEnd told once, with whether the memory may be freed at once
   */
  constructor(
    private readonly now: () => number,
    readonly giveUp: () => void,
    private readonly onEnd: (mayFree: boolean) => void,
  ) {
    this.progressAt = now();
  }

  /** The kernel has taken a part. */
  progressed(): void {
    this.progressAt = this.now();
  }

  /**
   * All of it was taken, or its reader has left.
   * @param mayFree whether nobody writes from its memory any more: false where that is not known.
   */
  end(mayFree: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(mayFree);
  }
}
