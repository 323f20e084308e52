import { Worker } from 'node:worker_threads';
import type { RenderSettings } from './render-video';

/** Renders a video elsewhere than in this thread. @throws Error with why not */
export type Render = (settings: RenderSettings) => Promise<Uint8Array>;

const TIMEOUT_MS = 120_000;

/** Renders in a thread of its own, from a bundled worker. */
export function renderInThread(workerFile: string): Render {
  return (settings) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(workerFile, { workerData: settings, name: 'video-renderer' });
      const timer = setTimeout(() => end(new Error('The renderer took too long.')), TIMEOUT_MS);
      const end = (outcome: Uint8Array | Error): void => {
        clearTimeout(timer);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
        void worker.terminate();
      };
      worker.once('message', (bytes: Uint8Array) => end(bytes));
      worker.once('error', end);
      worker.once('exit', (code) => end(new Error(`The renderer ended with code ${code}.`)));
    });
}

/** Renders one video at a time, in the order in which they were asked for. */
export class RenderQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly render: Render,
    private readonly waitingMax: number,
  ) {}

  /** Whether another can wait. */
  get hasRoom(): boolean {
    return this.#waiting < this.waitingMax;
  }

  /** @param starts called when its turn has come. @throws Error what the renderer threw */
  add(settings: RenderSettings, starts: () => void): Promise<Uint8Array> {
    this.#waiting++;
    const rendered = this.#last.then(() => {
      this.#waiting--;
      starts();
      return this.render(settings);
    });
    this.#last = rendered.catch(() => undefined);
    return rendered;
  }
}
