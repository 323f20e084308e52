/** Bounds concurrent compressions, because libuv's few threads also serve files and DNS. Runs waiting jobs in order. */
export class CompressionTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly runningMax: number,
    private readonly waitingMax: number,
  ) {}

  /**
   * Runs a job in its turn.
   *
   * @returns null immediately if too many jobs wait
   */
  async take<Result>(run: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.runningMax) {
      if (this.#waiting.length >= this.waitingMax) return null;
      // A finished job passes its slot to the next job.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
