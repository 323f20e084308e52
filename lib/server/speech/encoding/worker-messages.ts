import type { AudioFormat } from '@/lib/protocol/speech/audio-format';

/** The formats that need an encoder. `wav` and `pcm` are the samples themselves. */
export type EncodedFormat = Exclude<AudioFormat, 'wav' | 'pcm'>;

/** What the pool tells a worker. Samples are 24 kHz mono; their buffers are transferred, not copied. */
export type ToEncoderWorker =
  | { type: 'open'; job: number; format: EncodedFormat; isStreamed: boolean }
  | { type: 'samples'; job: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'finish'; job: number }
  | { type: 'cancel'; job: number };

/** What a worker tells the pool: `taken` answers every `samples`, `finished` follows the last `bytes`. */
export type FromEncoderWorker =
  | { type: 'bytes'; job: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'taken'; job: number }
  | { type: 'finished'; job: number }
  | { type: 'failed'; job: number; message: string };
