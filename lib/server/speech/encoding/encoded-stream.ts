import type { EncoderJob } from './encoder-process';

/** Number of unread bytes above which the source must wait. This is a few seconds of compressed speech. */
const READY_BYTES_MAX = 64 * 1024;
/**
 * Samples per write: one second of audio. With small writes, the first bytes come early and cancelled jobs end soon.
 */
const SAMPLES_PER_WRITE = 24_000;

/**
 * Encodes `samples` as a stream. Encodes a limited amount ahead of the reader. If the reader leaves the loop early, or
 * after an abort or an error, cancels the job and ends the source.
 */
export async function* encodedStream(
  open: (onBytes: (bytes: Uint8Array) => void) => EncoderJob,
  samples: AsyncIterable<Int16Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const ready = new ReadyBytes();
  const job = open((bytes) => ready.add(bytes));
  const onAbort = () => ready.fail(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  feed(job, samples, ready).then(
    () => ready.end(),
    (error: unknown) => ready.fail(error),
  );
  try {
    for (let bytes = await ready.next(); bytes !== null; bytes = await ready.next()) yield bytes;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    ready.fail(new Error('The reader has stopped reading.'));
    job.cancel();
  }
}

async function feed(job: EncoderJob, samples: AsyncIterable<Int16Array>, ready: ReadyBytes): Promise<void> {
  for await (const chunk of samples) {
    for (let start = 0; start < chunk.length; start += SAMPLES_PER_WRITE) {
      await ready.untilRoom();
      if (ready.hasFailed) return;
      await job.write(chunk.subarray(start, start + SAMPLES_PER_WRITE));
    }
    if (ready.hasFailed) return;
  }
  await job.finish();
}

class ReadyBytes {
  #parts: Uint8Array[] = [];
  #size = 0;
  #state: 'open' | 'ended' | { error: unknown } = 'open';
  #wakeReader: (() => void) | undefined;
  #wakeFeeder: (() => void) | undefined;

  get hasFailed(): boolean {
    return typeof this.#state === 'object';
  }

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#wakeReader?.();
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wakeReader?.();
  }

  fail(error: unknown): void {
    if (!this.hasFailed) this.#state = { error };
    this.#wakeReader?.();
    this.#wakeFeeder?.();
  }

  async untilRoom(): Promise<void> {
    while (this.#size > READY_BYTES_MAX && !this.hasFailed)
      await new Promise<void>((resolve) => (this.#wakeFeeder = resolve));
  }

  /** Returns all unread bytes; null at the end. @throws the error with which the stream failed */
  async next(): Promise<Uint8Array | null> {
    for (;;) {
      if (typeof this.#state === 'object') throw this.#state.error;
      if (this.#parts.length > 0) return this.#take();
      if (this.#state === 'ended') return null;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  #take(): Uint8Array {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#wakeFeeder?.();
    return bytes;
  }
}
