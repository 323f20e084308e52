const CAPACITY_MIN = 1_024;
/** Size in bytes above which a nearly empty buffer is replaced by a smaller buffer. */
const IDLE_CAPACITY_MAX = 65_536;
const EMPTY = new Uint8Array();

/** Buffer that grows by appended chunks in amortized linear time. Copies the chunks. */
export class GrowingBytes {
  #buffer: Uint8Array<ArrayBuffer> = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** All bytes, without a copy. Valid until the next `append` or `drop`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) this.#move(0, Math.max(length, this.#buffer.length * 2, CAPACITY_MIN));
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** Removes the first bytes, in time linear in the remaining bytes. */
  drop(count: number): void {
    const left = this.#length - count;
    if (this.#buffer.length > IDLE_CAPACITY_MAX && left < this.#buffer.length / 4) this.#move(count, left);
    else this.#buffer.copyWithin(0, count, this.#length);
    this.#length = left;
  }

  #move(from: number, capacity: number): void {
    const buffer = new Uint8Array(capacity);
    buffer.set(this.#buffer.subarray(from, this.#length));
    this.#buffer = buffer;
  }
}
