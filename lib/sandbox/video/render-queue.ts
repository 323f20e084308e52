import { Worker } from 'node:worker_threads';
import type { RenderSettings } from './render-video';

/** Renders a video in another thread. @throws Error with the reason for the failure */
export type Render = (settings: RenderSettings) => Promise<Uint8Array>;

const TIMEOUT_MS = 120_000;

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

/** Renders one video at a time, in order of arrival. */
export class RenderQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly render: Render,
    private readonly waitingMax: number,
  ) {}

  get hasRoom(): boolean {
    return this.#waiting < this.waitingMax;
  }

  /** @param starts called when rendering starts @throws Error from the renderer */
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
