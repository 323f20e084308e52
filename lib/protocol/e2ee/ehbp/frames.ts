import { concatBytes } from '@noble/hashes/utils.js';
import { GrowingBytes } from '../../growing-bytes';
import { EhbpError } from './format';

/** Size of a frame's header, which contains the ciphertext's length, big-endian. */
export const FRAME_HEAD_BYTES = 4;
/** Longest accepted ciphertext. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** Prefixes a ciphertext with its length (EHBP specification, 4.3). */
export function frameOf(ciphertext: Uint8Array): Uint8Array {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, ciphertext.length);
  return concatBytes(head, ciphertext);
}

/** Extracts the ciphertexts from chunks of a body. Skips empty frames. Buffers at most one frame and one chunk. */
export class FrameReader {
  readonly #rest = new GrowingBytes();

  constructor(private readonly frameBytesMax = FRAME_BYTES_MAX) {}

  /**
   * @returns completed ciphertexts
   * @throws {EhbpError} CHUNK_TOO_LARGE as soon as a frame's header announces too many bytes
   */
  push(bytes: Uint8Array): Uint8Array[] {
    this.#rest.append(bytes);
    const found: Uint8Array[] = [];
    const all = this.#rest.bytes;
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    let at = 0;
    while (all.length - at >= FRAME_HEAD_BYTES) {
      const length = view.getUint32(at);
      if (length > this.frameBytesMax)
        throw new EhbpError('CHUNK_TOO_LARGE', `A frame of ${length} bytes is longer than accepted.`);
      const start = at + FRAME_HEAD_BYTES;
      if (all.length - start < length) break;
      at = start + length;
      if (length > 0) found.push(all.slice(start, at));
    }
    if (at > 0) this.#rest.drop(at);
    return found;
  }

  /** @throws {EhbpError} FRAMING_TRUNCATED if a frame is incomplete */
  end(): void {
    if (this.#rest.length > 0) throw new EhbpError('FRAMING_TRUNCATED', 'The body ends within a frame.');
  }
}

/** Returns whether a body consists of whole frames, of which at least one is not empty. */
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
