import { Malformed } from '../malformed';

/** Reads consecutive little-endian fields and checks bounds. */
export class ByteCursor {
  #offset = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly what: string,
  ) {}

  get offset(): number {
    return this.#offset;
  }

  /**
   * Returns the next bytes as a view.
   *
   * @throws {Malformed} if fewer remain
   */
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

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#offset);
  }

  /** @throws {Malformed} if bytes remain */
  end(): void {
    if (this.#offset !== this.bytes.length) throw new Malformed(`The ${this.what} has bytes after its end.`);
  }
}
