const HEADER_BYTES = 16;
const BOXES_MAX = 100_000;

/**
 * Checks that bytes are a complete MP4 (ISO/IEC 14496-12): the file begins with `ftyp`, has `moov` and `mdat`, and ends
 * where its last top-level box ends. Does not parse the content of boxes.
 */
export class Mp4Check {
  readonly #seen = new Set<string>();
  #header = Buffer.alloc(0);
  #boxes = 0;
  /**
   * Number of bytes of the current box that have not arrived; Infinity for a box that extends to the end of the file.
   */
  #rest = 0;
  #fault: string | null = null;

  /** Checks the next bytes. @returns a sentence about the fault; null if none */
  add(chunk: Buffer): string | null {
    let at = 0;
    while (at < chunk.length && this.#fault === null) {
      if (this.#rest > 0) {
        const passed = Math.min(this.#rest, chunk.length - at);
        this.#rest -= passed;
        at += passed;
      } else {
        const taken = Math.min(HEADER_BYTES - this.#header.length, chunk.length - at);
        this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + taken)]);
        at += taken;
        at -= this.#enter();
      }
    }
    return this.#fault;
  }

  /** Ends the check. @returns a sentence about the fault; null for a complete MP4 */
  end(): string | null {
    if (this.#fault !== null) return this.#fault;
    if (this.#header.length > 0 || (this.#rest > 0 && this.#rest !== Infinity)) return 'The video is cut off.';
    const missing = ['ftyp', 'moov', 'mdat'].find((type) => !this.#seen.has(type));
    return missing === undefined ? null : `The video has no box ${missing}.`;
  }

  /**
   * Parses the header of a box if the header is complete.
   * @returns number of bytes that were collected beyond the header
   */
  #enter(): number {
    const header = this.#header;
    if (header.length < 8) return 0;
    const type = header.toString('latin1', 4, 8);
    const short = header.readUInt32BE(0);
    if (short === 1 && header.length < HEADER_BYTES) return 0;
    const [size, headerBytes] = short === 1 ? [Number(header.readBigUInt64BE(8)), 16] : [short, 8];
    const isFirst = this.#boxes++ === 0;
    if (
      isFirst !== (type === 'ftyp') ||
      !/^[\x20-\x7e]{4}$/.test(type) ||
      (size !== 0 && size < headerBytes) ||
      this.#boxes > BOXES_MAX
    )
      this.#fault = 'The video is not an MP4.';
    this.#seen.add(type);
    this.#header = Buffer.alloc(0);
    const over = header.length - headerBytes;
    this.#rest = size === 0 ? Infinity : size - headerBytes;
    return over;
  }
}
