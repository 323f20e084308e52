/**
 * Lets so many at a time compress, the others in their order: the threads of libuv are few, and files and names are
 * looked up on them too.
 */
export class CompressionTurns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly runningMax: number,
    private readonly waitingMax: number,
  ) {}

  /**
   * Runs it in its turn.
   * @returns null, at once, where too many wait.
   */
  async take<Result>(run: () => Promise<Result>): Promise<Result | null> {
    if (this.#running >= this.runningMax) {
      if (this.#waiting.length >= this.waitingMax) return null;
      // Whoever ends hands its place on.
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
