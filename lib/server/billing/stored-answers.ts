import type { IdempotencyConfig } from '../config/idempotency';
import { BodyParts } from '../http/body-parts';

/** Answer to store under an idempotency key; `too-large` if it exceeds the size limit of an answer. */
export type ReplayBody = Uint8Array | 'too-large';

/** Answers up to this size are always stored, because they take almost no room. */
export const SMALL_ANSWER_BYTES = 1_024;
const PART_OF_FREE = 8;

/** Returns how many bytes of answers one caller may store. @param totalBytes bytes stored for all callers */
export function callerAllowance({ callerBytesMax, totalBytesMax }: IdempotencyConfig, totalBytes: number): number {
  return Math.min(callerBytesMax, Math.floor(Math.max(0, totalBytesMax - totalBytes) / PART_OF_FREE));
}

export function isSmall(body: Uint8Array): boolean {
  return body.byteLength <= SMALL_ANSWER_BYTES;
}

/** Collects a streamed answer to store it. Drops an answer above `bytesMax`. */
export class KeptStream {
  readonly #parts = new BodyParts();

  constructor(private readonly bytesMax: number) {}

  /** Copies the bytes, because the sender may reuse its memory. */
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
