import { EngineThread } from './engine-thread';
import type { SynthesisOrder } from './synthesis';

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

  constructor(private readonly options: EnginePoolOptions) {}

  /** Loads an engine before the first text. @throws {EngineAbsentError | EngineFailedError} */
  async warmUp(): Promise<void> {
    if (this.#threads.size > 0) return;
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
    if (next) next(thread.hasEnded ? this.#start() : thread);
    else if (!thread.hasEnded) this.#idle.push(thread);
  }

  #forgetEnded(): void {
    for (const thread of this.#threads) if (thread.hasEnded) this.#threads.delete(thread);
    this.#idle = this.#idle.filter((thread) => !thread.hasEnded);
  }

  #start(): EngineThread {
    const { threadFile: file, silenceTimeoutMs } = this.options;
    const thread = new EngineThread({ file, silenceTimeoutMs });
    this.#threads.add(thread);
    return thread;
  }
}
