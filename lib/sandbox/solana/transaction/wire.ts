export class WireFormatError extends Error {
  override readonly name = 'WireFormatError';
}

/** Reads fields of Solana's wire format in sequence. */
export class WireReader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get position(): number {
    return this.#at;
  }

  /** @throws {WireFormatError} at the end of the bytes */
  byte(): number {
    const value = this.bytes[this.#at];
    if (value === undefined) throw new WireFormatError('failed to fill whole buffer');
    this.#at += 1;
    return value;
  }

  /** @throws {WireFormatError} if fewer bytes are left */
  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new WireFormatError('failed to fill whole buffer');
    const part = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** Reads a compact-u16: seven bits per byte, low bits first. Rejects encodings longer than necessary. */
  compactLength(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) !== 0) continue;
      if (byte === 0 && index > 0) throw new WireFormatError('a length is written longer than it needs to be');
      if (value > 0xffff) break;
      return value;
    }
    throw new WireFormatError('a length does not fit 16 bits');
  }

  list<Item>(readItem: () => Item): Item[] {
    return Array.from({ length: this.compactLength() }, readItem);
  }
}
