import { GrowingBytes } from '../growing-bytes';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const EMPTY = new Uint8Array();

/** Thrown if an event or line exceeds the splitter's limit. */
export class PartTooLong extends Error {
  override readonly name = 'PartTooLong';
}

/** Position of an event or line. Valid only while `onPart` runs. */
export interface StreamPart {
  readonly bytes: Uint8Array;
  /** Offset of the part, after any byte order mark. `end` is the offset after the part's last line break. */
  readonly start: number;
  readonly end: number;
  readonly lines: number;
  /** End of the first line that is not blank, excluding its line break. */
  readonly firstLineEnd: number;
  /** False if the stream ended before the part's last line break. */
  readonly isWhole: boolean;
}

interface StreamSplitterOptions {
  unit: 'event' | 'line';
  partBytesMax: number;
  onPart: (part: StreamPart) => void;
}

/**
 * Splits an event stream (WHATWG HTML, section 9.2.6) into events or lines. A line ends with LF, CR LF or CR. Scans
 * each byte once, so small chunks cost no extra time.
 */
export class StreamSplitter {
  readonly #rest = new GrowingBytes();
  readonly #part = { bytes: EMPTY as Uint8Array, start: 0, end: 0, lines: 0, firstLineEnd: 0, isWhole: true };
  #isFirst = true;
  /** True if the last part ended with CR and the next byte has not arrived. */
  #mayLfFollow = false;
  #partStart = 0;
  #lineStart = 0;
  /** Offset up to which bytes are scanned. */
  #at = 0;
  #lines = 0;
  #firstLineEnd = 0;

  readonly #partBytesMax: number;
  readonly #splitsLines: boolean;
  readonly #onPart: (part: StreamPart) => void;

  constructor({ unit, partBytesMax, onPart }: StreamSplitterOptions) {
    this.#splitsLines = unit === 'line';
    this.#partBytesMax = partBytesMax;
    this.#onPart = onPart;
  }

  get pendingBytes(): number {
    return this.#rest.length;
  }

  get isBetweenParts(): boolean {
    return this.#rest.length === 0;
  }

  /** True if the next byte begins a part and cannot be the LF of a CR LF. */
  get isAtStart(): boolean {
    return this.#rest.length === 0 && !this.#mayLfFollow;
  }

  /**
   * Appends bytes and calls `onPart` for each completed part.
   *
   * @returns bytes of the completed parts as received; offsets in `StreamPart` start at the first of these bytes
   * @throws {PartTooLong}
   */
  push(chunk: Uint8Array): Uint8Array {
    const rest = this.#rest;
    const isJoined = rest.length > 0;
    if (isJoined) rest.append(chunk);
    const bytes = isJoined ? rest.bytes : chunk;
    const { length } = bytes;
    this.#part.bytes = bytes;
    this.#scan(bytes);
    const taken = this.#partStart;
    if (length - taken > this.#partBytesMax) throw new PartTooLong();
    const whole =
      taken === 0 ? EMPTY : isJoined ? bytes.slice(0, taken) : taken === length ? chunk : chunk.subarray(0, taken);
    if (isJoined) rest.drop(taken);
    else if (taken < length) rest.append(chunk.subarray(taken));
    this.#forget(taken);
    return whole;
  }

  /** Ends the stream. Calls `onPart` for the remaining bytes, if any, and returns them. */
  finish(): Uint8Array {
    const { bytes, length } = this.#rest;
    if (length === 0) return EMPTY;
    this.#part.bytes = bytes;
    const isCrLast = this.#at < length;
    if (isCrLast) this.#endLine(this.#at, length);
    else if (this.#lineStart < length && this.#lines++ === 0) this.#firstLineEnd = length;
    if (this.#partStart < length) this.#endPart(length, false);
    return bytes;
  }

  #scan(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.#mayLfFollow && length > 0) {
      this.#mayLfFollow = false;
      if (bytes[0] === LF) this.#partStart = this.#lineStart = this.#at = 1;
    }
    // `indexOf` is several times faster than a loop.
    let lf = indexOf(bytes, LF, this.#at);
    let cr = indexOf(bytes, CR, this.#at);
    for (let at = Math.min(lf, cr); at < length; at = Math.min(lf, cr)) {
      let end = at + 1;
      if (at === cr) {
        if (end === length) {
          // After a CR, only the next byte shows whether this line end is CR or CR LF. A blank line completes the event
          // either way, without that byte.
          if (at > this.#lineStart || bytes[at - 1] !== CR) {
            this.#at = at;
            return;
          }
          this.#mayLfFollow = true;
        } else if (end === lf) end++;
        cr = indexOf(bytes, CR, end);
      }
      if (lf < end) lf = indexOf(bytes, LF, end);
      this.#endLine(at, end);
    }
    this.#at = length;
  }

  #endLine(contentEnd: number, end: number): void {
    const isBlank = contentEnd === this.#lineStart;
    if (!isBlank && this.#lines++ === 0) this.#firstLineEnd = contentEnd;
    this.#lineStart = end;
    if (isBlank || this.#splitsLines) this.#endPart(end, true);
  }

  #endPart(end: number, isWhole: boolean): void {
    if (end - this.#partStart > this.#partBytesMax) throw new PartTooLong();
    const part = this.#part;
    part.start = this.#partStart + (this.#isFirst ? markLength(part.bytes) : 0);
    part.end = end;
    part.lines = this.#lines;
    part.firstLineEnd = this.#firstLineEnd;
    part.isWhole = isWhole;
    this.#isFirst = false;
    this.#lines = 0;
    this.#partStart = this.#lineStart = end;
    this.#onPart(part);
  }

  #forget(taken: number): void {
    this.#part.bytes = EMPTY;
    this.#partStart = 0;
    this.#lineStart -= taken;
    this.#at -= taken;
    this.#firstLineEnd -= taken;
  }
}

function markLength(bytes: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
}

function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  if (bytes[from] === byte) return from;
  const at = Uint8Array.prototype.indexOf.call(bytes, byte, from);
  return at < 0 ? bytes.length : at;
}
