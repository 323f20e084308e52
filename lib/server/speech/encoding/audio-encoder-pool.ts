import { join } from 'node:path';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { RequestSlots } from '../../upstreams/request-slots';
import { EncodersBusyError, EncodingFailedError } from './encoding-error';
import { EncoderProcess } from './encoder-process';
import { encodedStream } from './encoded-stream';
import { unencoded } from './unencoded';

export interface AudioEncoderPoolOptions {
  processes?: number;
  jobsMax?: number;
  queueMax?: number;
  silenceTimeoutMs?: number;
  programFile?: string;
}

interface EncodeRequest {
  format: AudioFormat;
  /** True to send bytes while encoding; false to send a complete file at the end. */
  isStreamed: boolean;
  signal?: AbortSignal;
}

const RETRY_AFTER_SECONDS = 5;
const WARM_UP_SAMPLES = 480;

/** Path of the encoder program. It is the same for server.ts, `next start` and `next dev`. */
const PROGRAM_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'audio-encoder.mjs');

/**
 * Encodes speech in processes with a lower priority. When a process dies, its jobs fail, and the next job starts a new
 * process.
 */
export class AudioEncoderPool {
  #processes: EncoderProcess[] = [];
  #slots: RequestSlots;
  #isClosed = false;
  readonly #options: Required<AudioEncoderPoolOptions>;

  constructor(options: AudioEncoderPoolOptions = {}) {
    this.#options = {
      processes: 1,
      jobsMax: 16,
      queueMax: 64,
      silenceTimeoutMs: 30_000,
      programFile: PROGRAM_FILE,
      ...options,
    };
    this.#slots = new RequestSlots(this.#options.jobsMax, this.#options.queueMax);
  }

  /**
   * Encodes `samples` (24 kHz mono) and yields one valid file or stream of `format`. Reads from the source only as fast
   * as the reader reads. The source must not reuse a chunk of samples. Read the first bytes before sending a status,
   * because most errors occur before them.
   * @throws {EncodersBusyError} if all slots and the queue are full, and only before the first bytes
   * @throws {EncodingFailedError} if an encoder failed. Errors from `samples` and the signal's reason are thrown too
   */
  async *encode(
    { format, isStreamed, signal }: EncodeRequest,
    samples: AsyncIterable<Int16Array>,
  ): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted();
    if (format === 'pcm' || format === 'wav') return yield* abortable(unencoded(format, isStreamed, samples), signal);
    if (this.#slots.isFull) throw new EncodersBusyError(RETRY_AFTER_SECONDS);
    const release = await this.#slots.take(null, { signal });
    try {
      yield* encodedStream((onBytes) => this.#process().open(format, isStreamed, { onBytes }), samples, signal);
    } finally {
      release();
    }
  }

  /** Starts an encoder and loads every format before the first request. @throws the same errors as `encode` */
  async warmUp(): Promise<void> {
    for (const format of ['mp3', 'opus', 'aac', 'flac'] as const) {
      for await (const bytes of this.encode({ format, isStreamed: false }, aMoment())) void bytes;
    }
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#slots.taken, waiting: this.#slots.waiting };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#processes.map((each) => each.end()));
    this.#processes = [];
  }

  #process(): EncoderProcess {
    if (this.#isClosed) throw new EncodingFailedError('The audio encoders were closed.');
    this.#processes = this.#processes.filter((each) => !each.hasEnded);
    const leastLoaded = this.#processes.reduce<EncoderProcess | undefined>(
      (best, each) => (best === undefined || each.jobCount < best.jobCount ? each : best),
      undefined,
    );
    if (leastLoaded !== undefined && (leastLoaded.jobCount === 0 || this.#processes.length >= this.#options.processes))
      return leastLoaded;
    const started = new EncoderProcess({
      file: this.#options.programFile,
      silenceTimeoutMs: this.#options.silenceTimeoutMs,
    });
    this.#processes.push(started);
    return started;
  }
}

async function* aMoment(): AsyncGenerator<Int16Array> {
  yield new Int16Array(WARM_UP_SAMPLES);
}

async function* abortable(
  bytes: AsyncGenerator<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    signal?.throwIfAborted();
    yield piece;
  }
  signal?.throwIfAborted();
}
