import { join } from 'node:path';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { EncodersBusyError } from './encoding-error';
import { EncoderThread } from './encoder-thread';
import { JobSlots } from './job-slots';
import { encodedStream } from './encoded-stream';
import { unencoded } from './unencoded';

export interface AudioEncoderPoolOptions {
  /** Worker threads; they start with the first job that needs one. */
  threads?: number;
  /** Jobs at work at once, over all threads. */
  jobsMax?: number;
  /** Jobs that may wait for a place. */
  queueMax?: number;
  /** How long a thread may be silent while something is asked of it. */
  silenceTimeoutMs?: number;
  /** The bundled worker. */
  threadFile?: string;
}

export interface EncodeRequest {
  format: AudioFormat;
  /** Whether bytes go out as they are made. Otherwise they come together at the end, with headers that know the whole. */
  isStreamed: boolean;
  /** Ends the job, and frees what it holds. */
  signal?: AbortSignal;
}

const RETRY_AFTER_SECONDS = 5;

/** The bundled worker, beside the other programs: the same under server.ts, `next start` and `next dev`. */
const THREAD_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'audio-encoder.mjs');

/**
 * Encodes speech in worker threads of lower priority than the gateway's own. A thread that dies fails the jobs on it,
 * and the next job starts another.
 */
export class AudioEncoderPool {
  #threads: EncoderThread[] = [];
  #slots: JobSlots;
  readonly #options: Required<AudioEncoderPoolOptions>;

  constructor(options: AudioEncoderPoolOptions = {}) {
    this.#options = { threads: 1, jobsMax: 16, queueMax: 64, silenceTimeoutMs: 30_000, threadFile: THREAD_FILE, ...options };
    this.#slots = new JobSlots(this.#options.jobsMax, this.#options.queueMax);
  }

  /**
   * One valid file or stream of `format` from all of `samples` (24 kHz mono), whatever their pieces. The source is read as
   * fast as the bytes are; its chunks belong to the pool afterwards. Take the first bytes before answering with a
   * status: what fails at the start fails there.
   *
   * @throws {EncodersBusyError} at the first bytes, where every place and the queue are taken
   * @throws {EncodingFailedError} where an encoder failed; and whatever `samples` throws, or the signal's reason
   */
  async *encode({ format, isStreamed, signal }: EncodeRequest, samples: AsyncIterable<Int16Array>): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted();
    if (format === 'pcm' || format === 'wav') return yield* abortable(unencoded(format, isStreamed, samples), signal);
    if (this.#slots.isFull) throw new EncodersBusyError(RETRY_AFTER_SECONDS);
    const release = await this.#slots.take(signal);
    try {
      yield* encodedStream((onBytes) => this.#thread().open(format, isStreamed, { onBytes }), samples, signal);
    } finally {
      release();
    }
  }

  /** Jobs at work and waiting. */
  get load(): { running: number; waiting: number } {
    return { running: this.#slots.taken, waiting: this.#slots.waiting };
  }

  /** Ends the threads; jobs on them fail. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
    this.#threads = [];
  }

  #thread(): EncoderThread {
    this.#threads = this.#threads.filter((thread) => !thread.hasEnded);
    const leastLoaded = this.#threads.reduce<EncoderThread | undefined>((best, thread) => (best === undefined || thread.jobCount < best.jobCount ? thread : best), undefined);
    if (leastLoaded !== undefined && (leastLoaded.jobCount === 0 || this.#threads.length >= this.#options.threads)) return leastLoaded;
    const thread = new EncoderThread({ file: this.#options.threadFile, silenceTimeoutMs: this.#options.silenceTimeoutMs });
    this.#threads.push(thread);
    return thread;
  }
}

async function* abortable(bytes: AsyncGenerator<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    signal?.throwIfAborted();
    yield piece;
  }
  signal?.throwIfAborted();
}
