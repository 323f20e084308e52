export const MALFORMED_CHUNK = -1;

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
const SIZE_MAX = 0xffff_ffff;
const SIZE_DIGITS_MAX = 16;
/** Maximum bytes of chunk extensions and trailers. Their content is ignored. */
const FRAMING_BYTES_MAX = 16_384;
/** Maximum size of a chunk that is joined with other chunks. Longer chunks are passed on without a copy. */
const JOINED_BYTES_MAX = 2_048;

/** Maximum bytes for which a loop copies faster than `copyWithin`. */
const LOOPED_BYTES_MAX = 64;
/** Minimum number of bytes between the data of two chunks: CR LF, a size of one digit, CR LF. */
const SHORTEST_FRAMING = 5;

type State =
  | 'size'
  | 'extension'
  | 'size-end'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'line-start'
  | 'line'
  | 'line-end'
  | 'last-lf'
  | 'end';

/** Decodes a chunked body as it arrives (RFC 9112, section 7.1). Skips extensions and trailers. */
export class ChunkedBody {
  stretches = 0;
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #framing = 0;
  #joinedUntil = -1;

  get isComplete(): boolean {
    return this.#state === 'end';
  }

  /**
   * Parses the next bytes. Joins small adjacent chunks in place by overwriting `bytes`, because this costs much less
   * than calling `take` for each chunk.
   * @param take called with data; after it returns false, it is not called again
   * @returns index after the parsed bytes; `MALFORMED_CHUNK` for invalid framing. The index may be less than `end` if
   * the body is complete or `take` returned false
   */
  read(
    bytes: Buffer,
    start: number,
    end: number,
    take: (bytes: Buffer, start: number, end: number) => boolean,
  ): number {
    let at = start;
    // Start of the joined data; -1 before the first chunk.
    let from = -1;
    this.#joinedUntil = -1;
    while (at < end && this.#state !== 'end') {
      if (this.#state === 'data-cr' && from >= 0) at = this.#joinShortest(bytes, at, end);
      if (this.#state !== 'data') {
        if (at === end) break;
        if (!this.#readFraming(bytes[at] as number)) return MALFORMED_CHUNK;
        at++;
        continue;
      }
      this.stretches++;
      const next = Math.min(end, at + this.#size);
      this.#size -= next - at;
      if (this.#size === 0) this.#state = 'data-cr';
      if (from < 0 || next - at > JOINED_BYTES_MAX) {
        if (this.#joinedUntil > from && !take(bytes, from, this.#joinedUntil)) return at;
        if (!take(bytes, at, next)) return next;
        from = this.#joinedUntil = next;
      } else {
        bytes.copyWithin(this.#joinedUntil, at, next);
        this.#joinedUntil += next - at;
      }
      at = next;
    }
    if (this.#joinedUntil > from) take(bytes, from, this.#joinedUntil);
    return at;
  }

  #joinShortest(bytes: Buffer, start: number, end: number): number {
    let at = start;
    let until = this.#joinedUntil;
    while (at + SHORTEST_FRAMING < end && bytes[at] === CR && bytes[at + 1] === LF) {
      const high = hexDigit(bytes[at + 2] as number);
      const low = hexDigit(bytes[at + 3] as number);
      const size = low < 0 ? high : high * 16 + low;
      const from = low < 0 ? at + SHORTEST_FRAMING : at + SHORTEST_FRAMING + 1;
      const next = from + size;
      if (high < 0 || size === 0 || next > end || bytes[from - 2] !== CR || bytes[from - 1] !== LF) break;
      if (size > LOOPED_BYTES_MAX) {
        bytes.copyWithin(until, from, next);
        until += size;
      } else {
        for (let i = from; i < next; i++) bytes[until++] = bytes[i] as number;
      }
      this.stretches++;
      at = next;
    }
    this.#joinedUntil = until;
    return at;
  }

  #readFraming(byte: number): boolean {
    switch (this.#state) {
      case 'size':
        return this.#readSize(byte);
      case 'extension':
        if (byte === CR) this.#state = 'size-end';
        return byte !== LF && this.#mayGrow();
      case 'size-end':
        this.#state = this.#size === 0 ? 'line-start' : 'data';
        this.#digits = 0;
        return byte === LF;
      case 'data-cr':
        this.#state = 'data-lf';
        return byte === CR;
      case 'data-lf':
        this.#state = 'size';
        return byte === LF;
      case 'line-start':
        this.#state = byte === CR ? 'last-lf' : 'line';
        return byte !== LF && this.#mayGrow();
      case 'line':
        if (byte === CR) this.#state = 'line-end';
        return byte !== LF && this.#mayGrow();
      case 'line-end':
        this.#state = 'line-start';
        return byte === LF;
      default:
        this.#state = 'end';
        return byte === LF;
    }
  }

  #readSize(byte: number): boolean {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      this.#digits++;
      return this.#size <= SIZE_MAX && this.#digits <= SIZE_DIGITS_MAX;
    }
    if (this.#digits === 0) return false;
    if (byte === CR) this.#state = 'size-end';
    else if (byte === SEMICOLON || byte === 0x20 || byte === 0x09) this.#state = 'extension';
    else return false;
    return true;
  }

  #mayGrow(): boolean {
    return ++this.#framing <= FRAMING_BYTES_MAX;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
