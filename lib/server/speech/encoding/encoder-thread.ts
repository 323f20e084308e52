import { Worker } from 'node:worker_threads';
import { EncodingFailedError } from './encoding-error';
import type { EncodedFormat, FromEncoderWorker, ToEncoderWorker } from './worker-messages';

interface JobListener {
  onBytes(bytes: Uint8Array): void;
}

interface Job extends JobListener {
  /** Whoever waits for an answer to what was posted last. */
  pending: { resolve: () => void; reject: (error: Error) => void } | undefined;
}

/** A job on an encoder thread. Its calls come one after another. */
export interface EncoderJob {
  /** Resolves when the encoder has taken the samples. Their buffer is gone after that. @throws {EncodingFailedError} */
  write(samples: Int16Array<ArrayBuffer>): Promise<void>;
  /** Resolves when the last bytes have been delivered. @throws {EncodingFailedError} */
  finish(): Promise<void>;
  /** Frees what the job holds; nothing is delivered any more. */
  cancel(): void;
}

export interface EncoderThreadOptions {
  /** The bundled worker, `dist/audio-encoder.mjs`. */
  file: string;
  /** How long it may be silent while something is asked of it; then it is taken for hung, and ended. */
  silenceTimeoutMs: number;
}

/** One worker thread with the jobs on it. When it dies, by itself or by the time-out, all of its jobs fail. */
export class EncoderThread {
  #worker: Worker;
  #jobs = new Map<number, Job>();
  #nextJob = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EncoderThreadOptions) {
    this.#worker = new Worker(options.file, { name: 'audio-encoder' });
    this.#worker.unref();
    this.#worker.on('message', (message: FromEncoderWorker) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#fail(`An audio encoder failed: ${error.message}`));
    this.#worker.on('exit', () => this.#fail('An audio encoder ended.'));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  open(format: EncodedFormat, isStreamed: boolean, listener: JobListener): EncoderJob {
    const id = this.#nextJob++;
    const job: Job = { onBytes: listener.onBytes, pending: undefined };
    this.#jobs.set(id, job);
    // Work under way keeps the process alive, an idle thread does not.
    if (this.#jobs.size === 1) this.#worker.ref();
    this.#post({ type: 'open', job: id, format, isStreamed });
    return {
      write: (samples) => this.#ask(job, { type: 'samples', job: id, samples }, [samples.buffer]),
      finish: () => this.#ask(job, { type: 'finish', job: id }),
      cancel: () => this.#cancel(id),
    };
  }

  async end(): Promise<void> {
    this.#fail('The audio encoders were closed.');
    await this.#worker.terminate();
  }

  #ask(job: Job, message: ToEncoderWorker, transfer: ArrayBuffer[] = []): Promise<void> {
    if (this.#hasEnded || this.#jobs.get(message.job) !== job) return Promise.reject(new EncodingFailedError('The encoding has ended already.'));
    return new Promise((resolve, reject) => {
      job.pending = { resolve, reject };
      this.#post(message, transfer);
      this.#timer ??= setTimeout(() => this.#giveUp(), this.options.silenceTimeoutMs).unref();
    });
  }

  #receive(message: FromEncoderWorker): void {
    const job = this.#jobs.get(message.job);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (job === undefined) return this.#watch();
    if (message.type === 'bytes') job.onBytes(message.bytes);
    else if (message.type === 'failed') {
      this.#forget(message.job);
      job.pending?.reject(new EncodingFailedError(message.message));
    } else {
      const { pending } = job;
      job.pending = undefined;
      if (message.type === 'finished') this.#forget(message.job);
      pending?.resolve();
    }
    this.#watch();
  }

  #watch(): void {
    if (this.#timer !== undefined || ![...this.#jobs.values()].some(({ pending }) => pending)) return;
    this.#timer = setTimeout(() => this.#giveUp(), this.options.silenceTimeoutMs).unref();
  }

  #giveUp(): void {
    this.#fail('An audio encoder did not answer in time.');
    void this.#worker.terminate();
  }

  #cancel(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#post({ type: 'cancel', job: id });
    this.#forget(id);
    job.pending?.reject(new EncodingFailedError('The encoding was cancelled.'));
  }

  #forget(id: number): void {
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#worker.unref();
  }

  #fail(sentence: string): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    for (const { pending } of this.#jobs.values()) pending?.reject(new EncodingFailedError(sentence));
    this.#jobs.clear();
  }

  #post(message: ToEncoderWorker, transfer: ArrayBuffer[] = []): void {
    if (!this.#hasEnded) this.#worker.postMessage(message, transfer);
  }
}
