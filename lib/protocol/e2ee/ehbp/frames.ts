import { concatBytes } from '@noble/hashes/utils.js';
import { EhbpError } from './ehbp-error';

/** Of a frame: the length of its ciphertext, big-endian. */
export const FRAME_HEAD_BYTES = 4;
/** Of one ciphertext that is taken; senders make frames of what they have at once, some hundred bytes of a stream. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** A frame around a ciphertext (EHBP specification, 4.3). */
export function frameOf(ciphertext: Uint8Array): Uint8Array {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, ciphertext.length);
  return concatBytes(head, ciphertext);
}

/** Finds the ciphertexts in a body that comes in parts. Empty frames are passed over. What it keeps is bounded by the largest frame. */
export class FrameReader {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(private readonly frameBytesMax = FRAME_BYTES_MAX) {}

  /** Takes the next bytes. @returns the ciphertexts that they complete @throws {EhbpError} CHUNK_TOO_LARGE, before anything of it is kept */
  push(bytes: Uint8Array): Uint8Array[] {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    const found: Uint8Array[] = [];
    for (let length = this.#length(); length !== null && this.#bytes >= FRAME_HEAD_BYTES + length; length = this.#length()) {
      const frame = this.#take(FRAME_HEAD_BYTES + length);
      if (length > 0) found.push(frame.subarray(FRAME_HEAD_BYTES));
    }
    return found;
  }

  /** Ends the body. @throws {EhbpError} FRAMING_TRUNCATED within a frame */
  end(): void {
    if (this.#bytes > 0) throw new EhbpError('FRAMING_TRUNCATED', 'The body ends within a frame.');
  }

  /** Of the next frame; null until its head is there. */
  #length(): number | null {
    if (this.#bytes < FRAME_HEAD_BYTES) return null;
    if ((this.#parts[0]?.length ?? 0) < FRAME_HEAD_BYTES) this.#parts = [concatBytes(...this.#parts)];
    const head = this.#parts[0] as Uint8Array;
    const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0);
    if (length > this.frameBytesMax) throw new EhbpError('CHUNK_TOO_LARGE', `A frame of ${length} bytes is more than is taken.`);
    return length;
  }

  #take(length: number): Uint8Array {
    const all = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : concatBytes(...this.#parts);
    const rest = all.subarray(length);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return all.subarray(0, length);
  }
}

/** Whether a body is whole frames, one of which has a ciphertext. Nothing is copied, and no frame is read. */
export function isFramed(body: Uint8Array): boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  let hasCiphertext = false;
  while (at + FRAME_HEAD_BYTES <= body.length) {
    const length = view.getUint32(at);
    hasCiphertext ||= length > 0;
    at += FRAME_HEAD_BYTES + length;
  }
  return at === body.length && hasCiphertext;
}
