/** Grants memory to arriving answers. */
export interface ArrivalDesk {
  claim(arrival: Arrival, bytes: number): boolean;
  completed(arrival: Arrival, bytes: Uint8Array): void;
  dropped(arrival: Arrival): void;
}

/**
 * Large answer still arriving. Claims memory before more of the answer is read, and waits if no memory is free.
 */
export class Arrival {
  claimedBytes = 0;
  wantedBytes = 0;
  #isOver = false;

  constructor(
    private readonly desk: ArrivalDesk,
    private readonly onRoom: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.wantedBytes > 0;
  }

  /** @returns whether memory is granted now; if not, `onRoom` is called later */
  claim(bytes: number): boolean {
    this.wantedBytes += bytes;
    if (this.wantedBytes > bytes) return false;
    if (!this.desk.claim(this, bytes)) return false;
    if (this.isWaiting) this.#take();
    return true;
  }

  granted(): void {
    this.#take();
    this.onRoom();
  }

  /** Marks the answer as complete. Its bytes count as used memory until they are released. */
  complete(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wantedBytes = 0;
    this.desk.completed(this, bytes);
  }

  /** Discards the answer. Has no effect on a complete answer. */
  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wantedBytes = 0;
    this.desk.dropped(this);
  }

  #take(): void {
    this.claimedBytes += this.wantedBytes;
    this.wantedBytes = 0;
  }
}

/** Large answer whose reader has not accepted all of it yet. */
export class Reading {
  progressAt: number;
  /** True if the reader was disconnected because it accepted nothing. */
  isGivenUp = false;
  #isOver = false;

  /**
   * @param giveUp called to disconnect the reader
   * @param onEnd called once; its argument says whether the memory may be freed now
   */
  constructor(
    private readonly now: () => number,
    readonly giveUp: () => void,
    private readonly onEnd: (mayFree: boolean) => void,
  ) {
    this.progressAt = now();
  }

  progressed(): void {
    this.progressAt = this.now();
  }

  /**
   * Must be called when the reader has the answer or has disconnected.
   * @param mayFree false if a pending write may still use the memory
   */
  end(mayFree: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(mayFree);
  }
}
