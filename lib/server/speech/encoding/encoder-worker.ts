import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { createMediabunnyEncoder } from './mediabunny-encoder';
import { createMp3Encoder } from './mp3-encoder';
import { createOpusEncoder } from './opus-encoder';
import type { Emit, StreamEncoder } from './stream-encoder';
import type { EncodedFormat, FromEncoderWorker, ToEncoderWorker } from './worker-messages';

/** What an encoder gets that was given no samples: most formats have no empty file. */
const SILENCE_SAMPLES = 480;

interface Job {
  encoder: Promise<StreamEncoder>;
  hasSamples: boolean;
  /** Whether anybody wants its bytes. */
  isOpen: boolean;
}

/** The thread of `EncoderThread`. */
const jobs = new Map<number, Job>();
// On Linux a priority is the thread's own; elsewhere it would be the gateway's.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
parentPort?.on('message', (message: ToEncoderWorker) => void handle(message));

async function handle(message: ToEncoderWorker): Promise<void> {
  try {
    if (message.type === 'open') begin(message.job, message.format, message.isStreamed);
    else await proceed(message);
  } catch (error) {
    if (jobs.delete(message.job)) send({ type: 'failed', job: message.job, message: (error as Error).message });
  }
}

function begin(id: number, format: EncodedFormat, isStreamed: boolean): void {
  const emit = (bytes: Uint8Array<ArrayBuffer>) => {
    if (job.isOpen && bytes.length > 0) send({ type: 'bytes', job: id, bytes }, bytes.buffer);
  };
  const job: Job = { encoder: Promise.resolve().then(() => create(format, isStreamed, emit)), hasSamples: false, isOpen: true };
  jobs.set(id, job);
  // It is reported by the first call that waits for it.
  job.encoder.catch(() => undefined);
}

function create(format: EncodedFormat, isStreamed: boolean, emit: Emit): Promise<StreamEncoder> | StreamEncoder {
  if (format === 'mp3') return createMp3Encoder(isStreamed, emit);
  if (format === 'opus') return createOpusEncoder(isStreamed, emit);
  return createMediabunnyEncoder(format, isStreamed, emit);
}

async function proceed(message: Exclude<ToEncoderWorker, { type: 'open' }>): Promise<void> {
  const job = jobs.get(message.job);
  if (job === undefined) return;
  if (message.type === 'cancel') forget(message.job, job);
  const encoder = await job.encoder;
  if (message.type === 'cancel') return encoder.cancel();
  if (message.type === 'samples') {
    job.hasSamples ||= message.samples.length > 0;
    await encoder.write(message.samples);
    return send({ type: 'taken', job: message.job });
  }
  if (!job.hasSamples) await encoder.write(new Int16Array(SILENCE_SAMPLES));
  await encoder.finish();
  send({ type: 'finished', job: message.job });
  forget(message.job, job);
}

function forget(id: number, job: Job): void {
  job.isOpen = false;
  jobs.delete(id);
}

function send(message: FromEncoderWorker, buffer?: ArrayBuffer): void {
  parentPort?.postMessage(message, buffer ? [buffer] : []);
}
