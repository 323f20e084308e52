import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CHECKER_READY, type CheckerAnswer, type CheckerRequest } from './checker-messages';

const PROGRAM = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'schema-checker.mjs');
const START_TIMEOUT_MS = 30_000;
/** The stack is large, because Ajv compiles schemas and follows references recursively. */
const LIMITS = { maxOldGenerationSizeMb: 256, stackSizeMb: 16 };

/** Error for a check that exceeded its time or memory. The caller's schema is the cause. */
export class CheckerOverrun extends Error {
  override readonly name = 'CheckerOverrun';
}

interface CheckerWorker extends Pick<Worker, 'postMessage' | 'terminate' | 'ref' | 'unref'> {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
}

interface Waiting {
  resolve: (message: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Worker thread that handles one request at a time. A thread that takes too long is terminated. The next request starts
 * another thread.
 */
export class CheckerThread {
  #worker: CheckerWorker | null = null;
  #waiting: Waiting | null = null;
  #isClosed = false;

  constructor(
    private readonly startWorker: () => CheckerWorker = () =>
      new Worker(PROGRAM, { name: 'schema-checker', resourceLimits: LIMITS }),
  ) {}

  /**
   * @param timeoutMs limit for the work, excluding the start of the thread
   * @throws CheckerOverrun for too much time or memory; another Error if the thread fails
   */
  async ask(request: CheckerRequest, timeoutMs: number): Promise<string | null> {
    if (this.#isClosed) throw new Error('The thread that checks schemas is closed.');
    const worker = this.#worker ?? (await this.#start());
    worker.postMessage(request);
    const answer = (await this.#next(worker, timeoutMs, new CheckerOverrun('It takes too long.'))) as CheckerAnswer;
    if (answer.kind === 'failed') throw new Error(`A schema could not be checked: ${answer.message}`);
    return answer.fault;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #start(): Promise<CheckerWorker> {
    const worker = this.startWorker();
    this.#worker = worker;
    // Ignores messages from a thread that was replaced. A terminated thread's last message may arrive while the next
    // check waits.
    worker.on('message', (message: unknown) => {
      if (this.#worker === worker) this.#waiting?.resolve(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(
        worker,
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new CheckerOverrun('It takes too much memory.') : error,
      ),
    );
    worker.on('exit', () => this.#fail(worker, new Error('The thread that checks schemas ended.')));
    const first = await this.#next(
      worker,
      START_TIMEOUT_MS,
      new Error('The thread that checks schemas does not start.'),
    );
    if (first !== CHECKER_READY) throw new Error('The thread that checks schemas runs another program.');
    return worker;
  }

  /** Waits for the thread's next message. The thread keeps the process alive only during this wait. */
  async #next(worker: CheckerWorker, timeoutMs: number, overrun: Error): Promise<unknown> {
    worker.ref();
    const timer = setTimeout(() => this.#fail(worker, overrun), timeoutMs);
    try {
      return await new Promise<unknown>((resolve, reject) => (this.#waiting = { resolve, reject }));
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
      worker.unref();
    }
  }

  #fail(worker: CheckerWorker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    void worker.terminate();
    this.#waiting?.reject(error);
  }
}
