import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadEspeak } from './espeak';
import { synthesize, type SynthesisOrder } from './synthesis';

/** What the engine's thread is asked. */
export interface SpeakMessage extends SynthesisOrder {
  job: number;
}

/** What it says: once `ready` or `absent`; then, for every job, `samples` and at the end `spoken` or `failed`. */
export type FromEngine =
  | { type: 'ready' }
  | { type: 'absent' }
  | { type: 'samples'; job: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'spoken'; job: number }
  | { type: 'failed'; job: number; message: string };

/** The job that nobody wants any more: synthesis blocks this thread, so that no message would reach it. */
const { cancelled } = workerData as { cancelled: Int32Array };
// On Linux a priority is the thread's own; elsewhere it would be the whole process's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);

const espeak = await loadEspeak();
send({ type: espeak === null ? 'absent' : 'ready' });

parentPort?.on('message', ({ job, ...order }: SpeakMessage) => {
  if (espeak === null) return send({ type: 'failed', job, message: 'There is no engine.' });
  try {
    synthesize(espeak, order, (samples) => {
      if (Atomics.load(cancelled, 0) === job) return false;
      if (samples.length > 0) send({ type: 'samples', job, samples }, samples.buffer);
      return true;
    });
    send({ type: 'spoken', job });
  } catch (error) {
    send({ type: 'failed', job, message: (error as Error).message });
  }
});

function send(message: FromEngine, buffer?: ArrayBuffer): void {
  parentPort?.postMessage(message, buffer ? [buffer] : []);
}
