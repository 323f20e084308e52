import { freeMemory } from './held-memory/holdings';

/** Chunks below this are copied together. */
const BLOCK_BYTES = 16_384;

/**
 * Gathers a body as it arrives. The sender chooses how small its chunks are, and a chunk that is kept as it came costs
 * some 200 bytes beside its own: a body in chunks of one byte would take 200 times the memory that it was allowed. A
 * chunk that is a small part of its memory would keep all of that memory.
 */
export class BodyParts {
  length = 0;
  /** Kept as they came, or full blocks. */
  readonly #parts: Uint8Array[] = [];
  /** Where small parts go, and how far it is filled. */
  #block: Buffer | null = null;
  #used = 0;

  /** Takes a chunk whose memory nobody writes to again. */
  add(part: Uint8Array): void {
    const isFirst = this.length === 0;
    // Most bodies come in one part, or in large ones: these are not copied.
    if (!isFirst && (part.byteLength < BLOCK_BYTES || part.byteLength * 2 < part.buffer.byteLength))
      return this.copy(part);
    this.#endBlock();
    this.#parts.push(part);
    this.length += part.byteLength;
  }

  /** Takes a copy of a chunk, or of the stretch of it from `start` to `end`. */
  copy(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
    const isFirst = this.length === 0;
    this.length += end - start;
    if (end - start >= BLOCK_BYTES) {
      this.#endBlock();
      this.#parts.push(ownCopy(bytes, start, end));
    } else if (isFirst) {
      // Most answers are short, and all of it: a block would be wasted on them.
      this.#parts.push(Buffer.from(bytes.subarray(start, end)));
    } else {
      this.#fill(bytes, start, end);
    }
  }

  /** All of it, in one piece. */
  whole(): Buffer {
    this.#endBlock();
    const [only] = this.#parts;
    return this.#parts.length === 1 && only ? asBuffer(only) : Buffer.concat(this.#parts);
  }

  /** How many pieces it is kept in. */
  get pieces(): number {
    return this.#parts.length + (this.#block ? 1 : 0);
  }

  /** The pieces that it is kept in. */
  *[Symbol.iterator](): IterableIterator<Uint8Array> {
    yield* this.#parts;
    if (this.#block) yield this.#block.subarray(0, this.#used);
  }

  /** Lets go of it. */
  drop(): void {
    this.#parts.length = 0;
    this.#block = null;
    this.#used = 0;
  }

  /**
   * Moves everything into `target`, and gives the memory of each piece back on the way: a body is not there twice. For
   * bodies whose chunks were all copied: other views of the memory would lose their bytes.
   */
  moveInto(target: Buffer): void {
    let at = 0;
    for (const piece of this) {
      target.set(piece, at);
      at += piece.byteLength;
      freeWhole(piece);
    }
    this.drop();
  }

  /** All of it in memory of its own, with as little as possible there twice. For bodies whose chunks were all copied, as `moveInto`. */
  moved(): Buffer {
    if (this.length <= BLOCK_BYTES) return this.whole();
    const whole = Buffer.allocUnsafeSlow(this.length);
    this.moveInto(whole);
    return whole;
  }

  /** Lets go of it, and gives its memory back at once. For bodies whose chunks were all copied, as `moveInto`. */
  free(): void {
    for (const piece of this) freeWhole(piece);
    this.drop();
  }

  #fill(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    while (at < end) {
      const block = (this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const taken = Math.min(end - at, BLOCK_BYTES - this.#used);
      block.set(bytes.subarray(at, at + taken), this.#used);
      this.#used += taken;
      at += taken;
      if (this.#used === BLOCK_BYTES) this.#endBlock();
    }
  }

  #endBlock(): void {
    if (this.#block && this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}

/** A short copy shares its memory with others, and is left to the collector. */
function freeWhole({ buffer, byteLength }: Uint8Array): void {
  if (buffer.byteLength === byteLength) freeMemory(buffer);
}

function ownCopy(bytes: Uint8Array, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(end - start);
  copy.set(bytes.subarray(start, end));
  return copy;
}

function asBuffer(part: Uint8Array): Buffer {
  return Buffer.isBuffer(part) ? part : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
}
