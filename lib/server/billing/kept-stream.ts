import { BodyParts } from '../http/body-parts';
import type { ReplayBody } from './keeping';

/** Collects a streamed answer, so that it can be stored and replayed. Drops an answer above `bytesMax`. */
export class KeptStream {
  readonly #parts = new BodyParts();

  constructor(private readonly bytesMax: number) {}

  /** Copies the bytes, because the sender may reuse their memory. */
  add(bytes: Uint8Array): void {
    if (this.#parts.length > this.bytesMax) return;
    this.#parts.copy(bytes);
    if (this.#parts.length > this.bytesMax) this.#parts.drop();
  }

  with(rest: readonly Uint8Array[]): ReplayBody {
    const length = rest.reduce((sum, { byteLength }) => sum + byteLength, this.#parts.length);
    return length > this.bytesMax ? 'too-large' : Buffer.concat([...this.#parts, ...rest]);
  }
}
