/** Maximum bytes to read in a turn. Scanning and copying this many bytes takes 0.25 ms. */
const TURN_BYTES = 256 * 1024;

interface Waiting {
  goOn: () => void;
  lastBytes: number;
}

/**
 * Limits how many bytes of long bodies are read in one turn of the event loop, across all connections. Without this
 * limit, Node would read two megabytes from each connection before doing other work.
 */
export class ReadTurn {
  #bytes = 0;
  #isOpen = false;
  readonly #waiting: Waiting[] = [];

  /**
   * Counts bytes that were read from an unfinished body.
   * @param bytes number of bytes read, plus an allowance for the cost of small chunks
   * @param goOn called in a later turn if the result is false
   * @returns whether more may be read in this turn
   */
  take(bytes: number, goOn: () => void): boolean {
    this.#open();
    this.#bytes += bytes;
    // Assumes that the next read is as large as this one.
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
   * Resumes the readers that have waited longest. Their last reads are used to estimate how many readers fit into a
   * turn. Without the estimate, turns would grow with the number of connections.
   */
  #end(): void {
    this.#bytes = 0;
    this.#isOpen = false;
    let expectedBytes = 0;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      // `#bytes` counts only reads within `goOn`. `expectedBytes` also covers reads that happen later in the turn.
      const taken = Math.max(expectedBytes, this.#bytes);
      if (taken > 0 && taken + next.lastBytes > TURN_BYTES) break;
      this.#waiting.shift();
      expectedBytes += next.lastBytes;
      next.goOn();
    }
    if (this.#waiting.length > 0) this.#open();
  }
}
