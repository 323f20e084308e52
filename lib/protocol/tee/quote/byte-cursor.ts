import { Malformed } from '../malformed';

/** Reads little-endian fields one after the other, and never beyond the end. */
export class ByteCursor {
  #offset = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly what: string,
  ) {}

  get offset(): number {
    return this.#offset;
  }

  /** The next bytes, as a view. @throws {Malformed} where there are fewer */
  take(count: number): Uint8Array {
    const end = this.#offset + count;
    if (end > this.bytes.length) throw new Malformed(`The ${this.what} ends too early.`);
    const taken = this.bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  u16(): number {
    const [low, high] = this.take(2) as unknown as [number, number];
    return low + high * 0x100;
  }

  u32(): number {
    return this.u16() + this.u16() * 0x1_0000;
  }

  /** What is left, as a view. */
  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#offset);
  }

  /** Refuses bytes that nobody has read. @throws {Malformed} */
  end(): void {
    if (this.#offset !== this.bytes.length) throw new Malformed(`The ${this.what} has bytes after its end.`);
  }
}
