import { GrowingBytes } from '../growing-bytes';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const EMPTY = new Uint8Array();

/** A part of a stream is longer than its reader takes. */
export class PartTooLong extends Error {
  override readonly name = 'PartTooLong';
}

/** An event or a line, where it lies. Valid while `onPart` runs. */
export interface StreamPart {
  readonly bytes: Uint8Array;
  /** Where it begins, after a byte order mark, and where it ends, after its last line end. */
  readonly start: number;
  readonly end: number;
  /** How many of its lines are not blank. */
  readonly lines: number;
  /** Where the first of these ends, before its line end. */
  readonly firstLineEnd: number;
  /** False where the stream ended before its last line end. */
  readonly isWhole: boolean;
}

export interface StreamSplitterOptions {
  /** What a part is: an event with its blank line, or a line. */
  unit: 'event' | 'line';
  /** Bound of one part. */
  partBytesMax: number;
  onPart: (part: StreamPart) => void;
}

/**
 * Splits an event stream (WHATWG HTML, section 9.2.6) into its events or its lines, which end with LF, CR LF or CR. How
 * the stream is cut into chunks changes neither the parts nor the time: each byte is looked at once.
 */
export class StreamSplitter {
  readonly #rest = new GrowingBytes();
  readonly #part = { bytes: EMPTY as Uint8Array, start: 0, end: 0, lines: 0, firstLineEnd: 0, isWhole: true };
  #isFirst = true;
  /** Whether the last part ended with a CR, and nothing has come since. */
  #mayLfFollow = false;
  #partStart = 0;
  #lineStart = 0;
  /** Up to where it was looked at. */
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

  /** How much of a part has come that is not whole. */
  get pendingBytes(): number {
    return this.#rest.length;
  }

  /** Whether no part has begun since the last whole one. */
  get isBetweenParts(): boolean {
    return this.#rest.length === 0;
  }

  /**
   * Takes the next bytes, and calls `onPart` for each part that they complete.
   * @returns the bytes of these parts, as they came: positions in a part count from their beginning
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

  /** Ends the stream, and calls `onPart` for what is left of it, if anything is. @returns its bytes */
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
    // The engine's search is several times as quick as a loop.
    let lf = indexOf(bytes, LF, this.#at);
    let cr = indexOf(bytes, CR, this.#at);
    for (let at = Math.min(lf, cr); at < length; at = Math.min(lf, cr)) {
      let end = at + 1;
      if (at === cr) {
        if (end === length) {
          // Only the next byte tells CR from CR LF. The end of an event whose lines end with CR does not wait for it.
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

  /** Positions count from the rest now. */
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

/** Where a byte stands next; the length of all where it does not. */
function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  if (bytes[from] === byte) return from;
  const at = Uint8Array.prototype.indexOf.call(bytes, byte, from);
  return at < 0 ? bytes.length : at;
}
