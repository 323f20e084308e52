/** What the system hands over of a connection at a time. */
const TICK_BYTES = 64 * 1024;
/** With the above 16 MiB a second, of all connections together. */
const TICK_MS = 4;

/**
 * How fast bodies are read that nobody wants. Their answer has been sent: the rest is taken so that it arrives, and each
 * read of it is memory that the collector has to take back while others wait.
 */
export class DiscardPace {
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #waiting: (() => void)[] = [];

  /**
   * Counts what was read and dropped.
   * @param goOn called when it is this connection's turn again, where the answer is false
   * @returns whether more may be read at once
   */
  take(bytes: number, goOn: () => void): boolean {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#bytes += bytes;
    if (this.#bytes < TICK_BYTES) return true;
    this.#waiting.push(goOn);
    return false;
  }

  #tick(): void {
    this.#bytes = 0;
    const next = this.#waiting.shift();
    if (next) return next();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
