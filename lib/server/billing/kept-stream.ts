import type { ReplayBody } from './keeping';

/** The bytes of an answer that is sent as it is made, to be kept for a repetition: as many as are kept of any answer. */
export class KeptStream {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(private readonly bytesMax: number) {}

  /** Notes what was sent. The bytes are copied: whoever sends may use their memory again. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.bytesMax) this.#parts = [];
    else this.#parts.push(Uint8Array.from(bytes));
  }

  /** All of it, with what is still to be sent. */
  with(rest: readonly Uint8Array[]): ReplayBody {
    const length = rest.reduce((sum, { byteLength }) => sum + byteLength, this.#bytes);
    return length > this.bytesMax ? 'too-large' : Buffer.concat([...this.#parts, ...rest]);
  }
}
