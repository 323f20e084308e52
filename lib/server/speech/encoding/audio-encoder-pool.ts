import { join } from 'node:path';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { EncodersBusyError } from './encoding-error';
import { EncoderProcess } from './encoder-process';
import { JobSlots } from './job-slots';
import { encodedStream } from './encoded-stream';
import { unencoded } from './unencoded';

export interface AudioEncoderPoolOptions {
  /** Processes that encode; they start with the first job that needs one. */
  processes?: number;
  /** Jobs at work at once, over all of them. */
  jobsMax?: number;
  /** Jobs that may wait for a place. */
  queueMax?: number;
  /** How long one may be silent while something is asked of it. */
  silenceTimeoutMs?: number;
  /** Their bundled program. */
  programFile?: string;
}

export interface EncodeRequest {
  format: AudioFormat;
  /** Whether bytes go out as they are made. Otherwise they come together at the end, with headers that know the whole. */
  isStreamed: boolean;
  /** Ends the job, and frees what it holds. */
  signal?: AbortSignal;
}

const RETRY_AFTER_SECONDS = 5;
const WARM_UP_SAMPLES = 480;

/** Beside the other programs: the same under server.ts, `next start` and `next dev`. */
const PROGRAM_FILE = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'audio-encoder.mjs');

/**
 * Encodes speech in processes of lower priority than the gateway's own. One that dies fails its jobs, and the next job
 * starts another.
 */
export class AudioEncoderPool {
  #processes: EncoderProcess[] = [];
  #slots: JobSlots;
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
  async *encode(
    { format, isStreamed, signal }: EncodeRequest,
    samples: AsyncIterable<Int16Array>,
  ): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted();
    if (format === 'pcm' || format === 'wav') return yield* abortable(unencoded(format, isStreamed, samples), signal);
    if (this.#slots.isFull) throw new EncodersBusyError(RETRY_AFTER_SECONDS);
    const release = await this.#slots.take(signal);
    try {
      yield* encodedStream((onBytes) => this.#process().open(format, isStreamed, { onBytes }), samples, signal);
    } finally {
      release();
    }
  }

  /** Starts an encoder and has it load what each format needs, ahead of the first request. @throws as `encode` */
  async warmUp(): Promise<void> {
    for (const format of ['mp3', 'opus', 'aac', 'flac'] as const) {
      for await (const bytes of this.encode({ format, isStreamed: false }, aMoment())) void bytes;
    }
  }

  /** Jobs at work and waiting. */
  get load(): { running: number; waiting: number } {
    return { running: this.#slots.taken, waiting: this.#slots.waiting };
  }

  /** Ends the processes; their jobs fail. */
  async close(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.end()));
    this.#processes = [];
  }

  #process(): EncoderProcess {
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
