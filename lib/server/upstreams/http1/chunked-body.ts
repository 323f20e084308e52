/** What a piece of a chunked body came to. */
export const MALFORMED_CHUNK = -1;

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
const SIZE_MAX = 0xffff_ffff;
/** Chunk extensions and trailers, which nobody needs, may come to this much. */
const FRAMING_BYTES_MAX = 16_384;

type State = 'size' | 'extension' | 'size-end' | 'data' | 'data-cr' | 'data-lf' | 'line-start' | 'line' | 'line-end' | 'last-lf' | 'end';

/** Takes a body in chunks apart as it arrives (RFC 9112, section 7.1). Extensions and trailers are skipped. */
export class ChunkedBody {
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #framing = 0;

  get isComplete(): boolean {
    return this.#state === 'end';
  }

  /**
   * Reads on.
   * @param take is given each stretch of data; it is not called again once it returns false.
   * @returns the index after what was read: `end`, or less where the body is complete or `take` wants no more; or `MALFORMED_CHUNK`.
   */
  read(bytes: Buffer, start: number, end: number, take: (bytes: Buffer, start: number, end: number) => boolean): number {
    let at = start;
    while (at < end && this.#state !== 'end') {
      if (this.#state === 'data') {
        const until = Math.min(end, at + this.#size);
        this.#size -= until - at;
        if (this.#size === 0) this.#state = 'data-cr';
        if (!take(bytes, at, until)) return until;
        at = until;
      } else {
        if (!this.#readFraming(bytes[at] as number)) return MALFORMED_CHUNK;
        at++;
      }
    }
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
      return this.#size <= SIZE_MAX;
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
