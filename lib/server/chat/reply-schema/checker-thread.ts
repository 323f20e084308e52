import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CHECKER_READY, type CheckerAnswer, type CheckerQuestion } from './checker-messages';

/** The bundled program, beside the others. */
const PROGRAM = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'schema-checker.mjs');
const START_TIMEOUT_MS = 30_000;
/** References are compiled and followed by recursion. What needs more of either is no use to anybody. */
const LIMITS = { maxOldGenerationSizeMb: 256, stackSizeMb: 16 };

/** A question was not answered in its time, or with the memory that there is: the fault of whoever asked. */
export class CheckerOverrun extends Error {
  override readonly name = 'CheckerOverrun';
}

/** What is needed of a thread. */
export interface CheckerWorker extends Pick<Worker, 'postMessage' | 'terminate' | 'ref' | 'unref'> {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
}

interface Waiting {
  resolve: (message: unknown) => void;
  reject: (error: Error) => void;
}

/** A thread that is asked one question at a time, and ended where an answer takes too long. The next question begins another. */
export class CheckerThread {
  #worker: CheckerWorker | null = null;
  #waiting: Waiting | null = null;
  #isClosed = false;

  constructor(
    private readonly startWorker: () => CheckerWorker = () =>
      new Worker(PROGRAM, { name: 'schema-checker', resourceLimits: LIMITS }),
  ) {}

  /**
   * @param timeoutMs of the thread's work; starting it is not counted
   * @throws CheckerOverrun where that was not enough; another Error where the thread is at fault
   */
  async ask(question: CheckerQuestion, timeoutMs: number): Promise<string | null> {
    if (this.#isClosed) throw new Error('The thread that checks schemas is closed.');
    const worker = this.#worker ?? (await this.#start());
    worker.postMessage(question);
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
    // What an ended thread said last may come after its end was decided, when somebody else waits for another one.
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
    if (first !== CHECKER_READY) throw new Error('The thread that checks schemas is another program.');
    return worker;
  }

  /** What the thread says next. It keeps this process alive while it is waited for, and not while it is idle. */
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
