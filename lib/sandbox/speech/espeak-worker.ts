import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadEspeak } from './espeak';
import { synthesize, type SynthesisOrder } from './synthesis';

export interface SpeakMessage extends SynthesisOrder {
  job: number;
}

/**
 * Messages from the thread: first `ready` or `absent`; then, for each job, `samples` followed by `spoken` or `failed`.
 */
export type FromEngine =
  | { type: 'ready' }
  | { type: 'absent' }
  | { type: 'samples'; job: number; samples: Int16Array<ArrayBuffer> }
  | { type: 'spoken'; job: number }
  | { type: 'failed'; job: number; message: string };

/** Id of the cancelled job, in shared memory because this thread receives no messages during synthesis. */
const { cancelled } = workerData as { cancelled: Int32Array };
// On Linux, a priority applies to one thread; elsewhere to the whole process.
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
