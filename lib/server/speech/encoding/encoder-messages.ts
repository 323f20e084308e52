import type { AudioFormat } from '@/lib/protocol/speech/audio-format';

/** Formats that need an encoder. `wav` and `pcm` are plain samples. */
export type EncodedFormat = Exclude<AudioFormat, 'wav' | 'pcm'>;

/**
 * Messages between the pool and an encoder process, in both directions on one stream. Each message has a header of nine
 * bytes: the type, the job, and the length of the payload. Job and length are 32-bit little-endian numbers.
 *
 * The pool sends `open` (an `EncoderOrder` in JSON), `samples` (24 kHz mono, 16-bit little-endian), `finish` and
 * `cancel`. The encoder sends `bytes`, `taken` for every `samples`, `finished` after the last `bytes`, and `failed`
 * with an error sentence.
 */
export const MESSAGE = {
  open: 1,
  samples: 2,
  finish: 3,
  cancel: 4,
  bytes: 5,
  taken: 6,
  finished: 7,
  failed: 8,
} as const;

export type MessageType = (typeof MESSAGE)[keyof typeof MESSAGE];

export interface EncoderOrder {
  format: EncodedFormat;
  isStreamed: boolean;
}

const HEAD_BYTES = 9;
const NOTHING = Buffer.alloc(0);

interface Wire {
  cork(): void;
  uncork(): void;
  write(bytes: Uint8Array): boolean;
}

/** Writes a message without copying its bytes. The caller must not change these bytes afterwards. */
export function writeMessage(wire: Wire, type: MessageType, job: number, bytes: Uint8Array = NOTHING): void {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head[0] = type;
  head.writeUInt32LE(job, 1);
  head.writeUInt32LE(bytes.byteLength, 5);
  wire.cork();
  wire.write(head);
  if (bytes.byteLength > 0) wire.write(bytes);
  wire.uncork();
}

/** Parses messages from chunks. Does not copy a message that arrives in one chunk. */
export class MessageReader {
  #parts: Buffer[] = [];
  #size = 0;
  #wanted = HEAD_BYTES;

  constructor(private readonly onMessage: (type: MessageType, job: number, bytes: Buffer) => void) {}

  push(piece: Buffer): void {
    this.#parts.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#wanted) return;
    const all = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts);
    let at = 0;
    for (;;) {
      const rest = all.length - at;
      this.#wanted = rest < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + all.readUInt32LE(at + 5);
      if (rest < this.#wanted) break;
      const end = at + this.#wanted;
      this.onMessage(all[at] as MessageType, all.readUInt32LE(at + 1), all.subarray(at + HEAD_BYTES, end));
      at = end;
    }
    this.#parts = at < all.length ? [all.subarray(at)] : [];
    this.#size = all.length - at;
  }
}
