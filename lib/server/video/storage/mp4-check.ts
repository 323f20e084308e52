const HEADER_BYTES = 16;
/** Top-level boxes of a file that is not split into fragments by the thousand. */
const BOXES_MAX = 100_000;

/**
 * Whether bytes that come in parts are an MP4 (ISO/IEC 14496-12) that is whole: it begins with `ftyp`, has `moov` and
 * `mdat`, and its top-level boxes end where it ends. What is inside of them is not looked at.
 */
export class Mp4Check {
  readonly #seen = new Set<string>();
  #header = Buffer.alloc(0);
  #boxes = 0;
  /** Bytes of the current box that are still to come; Infinity for one that reaches to the end. */
  #rest = 0;
  #fault: string | null = null;

  /** Looks at the next bytes. @returns what is wrong so far, as a sentence. */
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

  /** To be called at the end. @returns what is wrong, as a sentence; null for a whole MP4. */
  end(): string | null {
    if (this.#fault !== null) return this.#fault;
    if (this.#header.length > 0 || (this.#rest > 0 && this.#rest !== Infinity)) return 'It is cut off.';
    const missing = ['ftyp', 'moov', 'mdat'].find((type) => !this.#seen.has(type));
    return missing === undefined ? null : `It has no box ${missing}.`;
  }

  /** Reads a box header, where there is enough of it. @returns how many bytes it did not need. */
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
      this.#fault = 'It is no MP4.';
    this.#seen.add(type);
    this.#header = Buffer.alloc(0);
    const over = header.length - headerBytes;
    this.#rest = size === 0 ? Infinity : size - headerBytes;
    return over;
  }
}
