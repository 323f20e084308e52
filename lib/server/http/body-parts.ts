/** Chunks below this are copied together. */
const BLOCK_BYTES = 16_384;

/**
 * The parts of a body as they arrive. A client chooses how small they are, and each that is kept as it came takes some
 * 200 bytes beside its own: a body in chunks of one byte would take 200 times the memory that it was allowed.
 */
export class BodyParts {
  length = 0;
  readonly #parts: Uint8Array[] = [];
  /** Where small parts go, and how far it is filled. */
  #block: Buffer | null = null;
  #used = 0;

  add(part: Uint8Array): void {
    const isFirst = this.length === 0;
    this.length += part.byteLength;
    // Most bodies come in one part, or in large ones: these are not copied.
    if (isFirst || part.byteLength >= BLOCK_BYTES) {
      this.#endBlock();
      this.#parts.push(part);
      return;
    }
    let at = 0;
    while (at < part.byteLength) {
      const block = (this.#block ??= Buffer.allocUnsafe(BLOCK_BYTES));
      const taken = Math.min(part.byteLength - at, BLOCK_BYTES - this.#used);
      block.set(part.subarray(at, at + taken), this.#used);
      this.#used += taken;
      at += taken;
      if (this.#used === BLOCK_BYTES) this.#endBlock();
    }
  }

  /** All of it, in one piece. */
  whole(): Uint8Array {
    this.#endBlock();
    return this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
  }

  /** How many pieces it is kept in. */
  get pieces(): number {
    return this.#parts.length + (this.#block ? 1 : 0);
  }

  /** Lets go of it. */
  drop(): void {
    this.#parts.length = 0;
    this.#block = null;
    this.#used = 0;
  }

  #endBlock(): void {
    if (this.#block && this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}
