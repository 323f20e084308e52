import { Worker } from 'node:worker_threads';
import type { FromEngine, SpeakMessage } from './espeak-worker';
import type { SynthesisOrder } from './synthesis';

export class EngineAbsentError extends Error {
  override readonly name = 'EngineAbsentError';
}

/** Thrown if the engine died, stopped answering or reported an error. */
export class EngineFailedError extends Error {
  override readonly name = 'EngineFailedError';
}

interface EngineThreadOptions {
  file: string;
  /** Maximum time without a message, while the engine loads or speaks. */
  silenceTimeoutMs: number;
}

interface Speech {
  job: number;
  onSamples: (samples: Int16Array) => void;
  resolve: () => void;
  reject: (error: Error) => void;
}

const CANCELLED_BYTES = 4;

/**
 * Worker thread with one engine, which speaks one text at a time. An ended thread cannot restart; the pool replaces it.
 */
class EngineThread {
  #worker: Worker;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(CANCELLED_BYTES)).fill(-1);
  readonly #ready: Promise<void>;
  #settleReady: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #speech: Speech | undefined;
  #nextJob = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(private readonly options: EngineThreadOptions) {
    this.#ready = new Promise((resolve, reject) => (this.#settleReady = { resolve, reject }));
    this.#ready.catch(() => undefined);
    this.#worker = new Worker(options.file, { name: 'speech-engine', workerData: { cancelled: this.#cancelled } });
    this.#worker.on('message', (message: FromEngine) => this.#receive(message));
    this.#worker.on('error', (error: Error) =>
      this.#fail(new EngineFailedError(`The speech engine failed: ${error.message}`)),
    );
    this.#worker.on('exit', () => this.#fail(new EngineFailedError('The speech engine ended.')));
    this.#watch();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the engine is loaded. @throws {EngineAbsentError | EngineFailedError} */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * Resolves when the text has been spoken or the signal has cancelled it.
   *
   * @throws {EngineAbsentError | EngineFailedError}
   */
  async speak(order: SynthesisOrder, onSamples: (samples: Int16Array) => void, signal: AbortSignal): Promise<void> {
    await this.#ready;
    if (signal.aborted) return;
    const job = this.#nextJob++;
    const cancel = () => Atomics.store(this.#cancelled, 0, job);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        if (this.#hasEnded) return reject(new EngineFailedError('The speech engine ended.'));
        this.#speech = { job, onSamples, resolve, reject };
        this.#worker.postMessage({ job, ...order } satisfies SpeakMessage);
        this.#watch();
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#speech = undefined;
      clearTimeout(this.#timer);
    }
  }

  async end(): Promise<void> {
    this.#fail(new EngineFailedError('The speech engine was closed.'));
    await this.#worker.terminate();
  }

  #receive(message: FromEngine): void {
    clearTimeout(this.#timer);
    if (message.type === 'ready') return this.#settleReady?.resolve();
    if (message.type === 'absent') {
      this.#fail(new EngineAbsentError('The speech engine is not installed.'));
      return void this.#worker.terminate();
    }
    const speech = this.#speech;
    if (speech === undefined || speech.job !== message.job) return;
    if (message.type === 'spoken') return speech.resolve();
    if (message.type === 'failed') return speech.reject(new EngineFailedError(message.message));
    speech.onSamples(message.samples);
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#fail(new EngineFailedError('The speech engine did not answer in time.'));
      void this.#worker.terminate();
    }, this.options.silenceTimeoutMs).unref();
  }

  #fail(error: Error): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#settleReady?.reject(error);
    this.#speech?.reject(error);
  }
}

export class EnginesBusyError extends Error {
  override readonly name = 'EnginesBusyError';
}

export interface EnginePoolOptions {
  threadFile: string;
  /** Maximum number of engines. Each takes about 100 MB and loads on demand. */
  threads: number;
  queueMax: number;
  silenceTimeoutMs: number;
}

/** Synthesizes texts on a few engine threads, in order of arrival. */
export class EnginePool {
  #idle: EngineThread[] = [];
  #threads = new Set<EngineThread>();
  #queue: ((thread: EngineThread) => void)[] = [];
  #isClosed = false;

  constructor(private readonly options: EnginePoolOptions) {}

  /** Loads an engine before the first text. @throws {EngineAbsentError | EngineFailedError} */
  async warmUp(): Promise<void> {
    if (this.#isClosed || this.#threads.size > 0) return;
    const thread = this.#start();
    this.#release(thread);
    await thread.ready();
  }

  /**
   * Yields chunks of speech as the engine makes them. Leaving the loop or aborting the signal cancels the synthesis.
   * @throws {EnginesBusyError | EngineAbsentError | EngineFailedError}
   */
  async *speak(order: SynthesisOrder, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const thread = await this.#take(signal);
    const left = new AbortController();
    const pieces: Int16Array[] = [];
    let wake: () => void = () => undefined;
    let state: 'speaking' | 'done' | { error: unknown } = 'speaking';
    const onSamples = (samples: Int16Array) => {
      pieces.push(samples);
      wake();
    };
    const settle = (outcome: typeof state) => {
      state = outcome;
      this.#release(thread);
      wake();
    };
    thread.speak(order, onSamples, AbortSignal.any([signal, left.signal])).then(
      () => settle('done'),
      (error: unknown) => settle({ error }),
    );
    const isSpeaking = () => state === 'speaking';
    try {
      for (;;) {
        for (let piece = pieces.shift(); piece; piece = pieces.shift()) yield piece;
        if (!isSpeaking()) break;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const outcome = state as { error: unknown } | 'done';
      if (outcome !== 'done') throw outcome.error;
      signal.throwIfAborted();
    } finally {
      left.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
    this.#threads.clear();
    this.#idle = [];
  }

  async #take(signal: AbortSignal): Promise<EngineThread> {
    signal.throwIfAborted();
    this.#forgetEnded();
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#threads.size < this.options.threads) return this.#start();
    if (this.#queue.length >= this.options.queueMax) throw new EnginesBusyError('All speech engines are busy.');
    return new Promise((resolve, reject) => {
      const enter = (thread: EngineThread) => {
        signal.removeEventListener('abort', leave);
        resolve(thread);
      };
      const leave = () => {
        this.#queue = this.#queue.filter((waiting) => waiting !== enter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(enter);
    });
  }

  #release(thread: EngineThread): void {
    if (thread.hasEnded) this.#threads.delete(thread);
    const next = this.#queue.shift();
    // Texts that wait in a closed pool fail with its thread's error.
    if (next) next(thread.hasEnded && !this.#isClosed ? this.#start() : thread);
    else if (!thread.hasEnded) this.#idle.push(thread);
  }

  #forgetEnded(): void {
    for (const thread of this.#threads) if (thread.hasEnded) this.#threads.delete(thread);
    this.#idle = this.#idle.filter((thread) => !thread.hasEnded);
  }

  #start(): EngineThread {
    if (this.#isClosed) throw new EngineFailedError('The speech engine was closed.');
    const { threadFile: file, silenceTimeoutMs } = this.options;
    const thread = new EngineThread({ file, silenceTimeoutMs });
    this.#threads.add(thread);
    return thread;
  }
}
