import { freeMemory } from './held-memory/holdings';

const BLOCK_BYTES = 16_384;

/**
 * Collects a body as it arrives. Joins small chunks, because each stored chunk costs 200 bytes and may keep a larger
 * buffer in memory.
 */
export class BodyParts {
  length = 0;
  readonly #parts: Uint8Array[] = [];
  #block: Buffer | null = null;
  #used = 0;

  /** Adds a chunk, usually without copying it. The chunk's memory must not change afterwards. */
  add(part: Uint8Array): void {
    const isFirst = this.length === 0;
    // The first chunk is not copied, because most bodies have only one chunk.
    if (!isFirst && (part.byteLength < BLOCK_BYTES || part.byteLength * 2 < part.buffer.byteLength))
      return this.copy(part);
    this.#endBlock();
    this.#parts.push(part);
    this.length += part.byteLength;
  }

  copy(bytes: Uint8Array, start = 0, end = bytes.byteLength): void {
    const isFirst = this.length === 0;
    this.length += end - start;
    if (end - start >= BLOCK_BYTES) {
      this.#endBlock();
      this.#parts.push(ownCopy(bytes, start, end));
    } else if (isFirst) {
      // Most bodies are one short chunk and need no block of `BLOCK_BYTES`.
      this.#parts.push(Buffer.from(bytes.subarray(start, end)));
    } else {
      this.#fill(bytes, start, end);
    }
  }

  whole(): Buffer {
    this.#endBlock();
    const [only] = this.#parts;
    return this.#parts.length === 1 && only ? asBuffer(only) : Buffer.concat(this.#parts);
  }

  get pieces(): number {
    return this.#parts.length + (this.#block ? 1 : 0);
  }

  *[Symbol.iterator](): IterableIterator<Uint8Array> {
    yield* this.#parts;
    if (this.#block) yield this.#block.subarray(0, this.#used);
  }

  drop(): void {
    this.#parts.length = 0;
    this.#block = null;
    this.#used = 0;
  }

  /**
   * Copies the body into `target` and frees each copied part, so that memory never holds the body twice. All chunks
   * must have been added by `copy`, because freeing a part makes all other views of its memory empty.
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

  /**
   * Returns the body in one buffer. Frees a long body's parts. As with `moveInto`, all chunks must have been added by
   * `copy`.
   */
  moved(): Buffer {
    if (this.length <= BLOCK_BYTES) return this.whole();
    const whole = Buffer.allocUnsafeSlow(this.length);
    this.moveInto(whole);
    return whole;
  }

  /** Frees the parts immediately. As with `moveInto`, all chunks must have been added by `copy`. */
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

/** Frees a part that fills its buffer. Short parts share buffers, which the garbage collector frees. */
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
