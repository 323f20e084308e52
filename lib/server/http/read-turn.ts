/** What is scanned and copied in a quarter of a millisecond. */
const TURN_BYTES = 256 * 1024;

/**
 * How much of long answers is read in one turn of the event loop, of all connections together. Without it the system
 * hands over two megabytes of each connection that has them, one after the other, before anybody else is heard.
 */
export class ReadTurn {
  #bytes = 0;
  #isOpen = false;
  #waiting: (() => void)[] = [];

  /**
   * Counts what was read of an answer of which more is to come.
   * @param goOn called in the next turn, where the answer is false
   * @returns whether more may be read in this turn
   */
  take(bytes: number, goOn: () => void): boolean {
    if (!this.#isOpen) {
      this.#isOpen = true;
      setImmediate(() => this.#end());
    }
    this.#bytes += bytes;
    if (this.#bytes < TURN_BYTES) return true;
    this.#waiting.push(goOn);
    return false;
  }

  #end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#isOpen = false;
    for (const goOn of waiting) goOn();
  }
}
