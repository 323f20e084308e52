/** What is scanned and copied in a quarter of a millisecond. */
const TURN_BYTES = 256 * 1024;

/** Who goes on in a later turn, and how much it read at last. */
interface Waiting {
  goOn: () => void;
  lastBytes: number;
}

/**
 * How much of long answers is read in one turn of the event loop, of all connections together. Without it the system
 * hands over two megabytes of each connection that has them, one after the other, before anybody else is heard.
 */
export class ReadTurn {
  #bytes = 0;
  #isOpen = false;
  readonly #waiting: Waiting[] = [];

  /**
   * Counts what was read of an answer of which more is to come.
   * @param bytes that were read, or as many as take the same time where small pieces took longer
   * @param goOn called in a later turn, where the answer is false
   * @returns whether more may be read in this turn
   */
  take(bytes: number, goOn: () => void): boolean {
    this.#open();
    this.#bytes += bytes;
    // As much again would have to fit.
    if (this.#bytes + bytes <= TURN_BYTES) return true;
    this.#waiting.push({ goOn, lastBytes: bytes });
    return false;
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#end());
  }

  /**
   * Those that have waited longest go on, as many as fit into a turn when each reads what it read last: it cannot be told
   * to wait again before. With all of them a turn would grow with the number of connections.
   */
  #end(): void {
    this.#bytes = 0;
    this.#isOpen = false;
    let expectedBytes = 0;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      // What goes on at once has been counted; what reads later has not.
      const taken = Math.max(expectedBytes, this.#bytes);
      if (taken > 0 && taken + next.lastBytes > TURN_BYTES) break;
      this.#waiting.shift();
      expectedBytes += next.lastBytes;
      next.goOn();
    }
    if (this.#waiting.length > 0) this.#open();
  }
}
