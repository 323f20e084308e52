import type { AudioFormat } from '@/lib/protocol/speech/audio-format';

/** The formats that need an encoder. `wav` and `pcm` are the samples themselves. */
export type EncodedFormat = Exclude<AudioFormat, 'wav' | 'pcm'>;

/**
 * What passes between the pool and an encoder process, in both directions, over one stream: a head of nine bytes, which are
 * the type and, little-endian, the job and the length of what follows.
 *
 * To the encoder: `open` with an `EncoderOrder` in JSON, `samples` (24 kHz mono, 16-bit little-endian), `finish`, `cancel`.
 * From it: `bytes`; `taken` for every `samples`; `finished` behind the last `bytes`; `failed` with a sentence.
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

/** What a message is written to. */
interface Wire {
  cork(): void;
  uncork(): void;
  write(bytes: Uint8Array): boolean;
}

/** Writes a message; its bytes are not copied, and must stay as they are. */
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

/** Finds messages in what comes in pieces. One that came in one piece is passed on where it lies. */
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
