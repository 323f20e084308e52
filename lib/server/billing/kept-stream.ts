import { BodyParts } from '../http/body-parts';
import type { ReplayBody } from './keeping';

/** The bytes of an answer that is sent as it is made, to be kept for a repetition: as many as are kept of any answer. */
export class KeptStream {
  readonly #parts = new BodyParts();

  constructor(private readonly bytesMax: number) {}

  /** Notes what was sent. The bytes are copied: whoever sends may use their memory again. */
  add(bytes: Uint8Array): void {
    if (this.#parts.length > this.bytesMax) return;
    this.#parts.copy(bytes);
    if (this.#parts.length > this.bytesMax) this.#parts.drop();
  }

  /** All of it, with what is still to be sent. */
  with(rest: readonly Uint8Array[]): ReplayBody {
    const length = rest.reduce((sum, { byteLength }) => sum + byteLength, this.#parts.length);
    return length > this.bytesMax ? 'too-large' : Buffer.concat([...this.#parts, ...rest]);
  }
}
