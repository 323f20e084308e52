import { Socket } from 'node:net';
import os from 'node:os';
import { createMediabunnyEncoder } from './mediabunny-encoder';
import { createMp3Encoder } from './mp3-encoder';
import { createOpusEncoder } from './opus-encoder';
import type { Emit, StreamEncoder } from './stream-encoder';
import {
  type EncodedFormat,
  type EncoderOrder,
  MESSAGE,
  MessageReader,
  type MessageType,
  writeMessage,
} from './encoder-messages';

/** Number of silent samples to encode for a job without input, because most formats do not allow an empty file. */
const SILENCE_SAMPLES = 480;
const WIRE_FD = 3;

interface Job {
  encoder: Promise<StreamEncoder>;
  hasSamples: boolean;
  isOpen: boolean;
}

const jobs = new Map<number, Job>();
giveWay();
const wire = new Socket({ fd: WIRE_FD });
const reader = new MessageReader((type, job, bytes) => void handle(type, job, bytes));
wire.on('data', (piece: Buffer) => reader.push(piece));
// If the connection breaks, the gateway has ended, so this process ends too.
wire.on('error', () => process.exit()).on('close', () => process.exit());
// Ignores signals that a terminal sends to all processes, because the gateway still needs the encoder while it shuts
// down.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function giveWay(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Keeps the priority if the system does not permit a lower one.
  }
}

async function handle(type: MessageType, job: number, bytes: Buffer): Promise<void> {
  try {
    if (type === MESSAGE.open) begin(job, JSON.parse(bytes.toString()) as EncoderOrder);
    else await proceed(type, job, bytes);
  } catch (error) {
    if (jobs.delete(job)) writeMessage(wire, MESSAGE.failed, job, Buffer.from((error as Error).message));
  }
}

function begin(id: number, { format, isStreamed }: EncoderOrder): void {
  const emit = (bytes: Uint8Array) => {
    if (job.isOpen && bytes.length > 0) writeMessage(wire, MESSAGE.bytes, id, bytes);
  };
  const job: Job = {
    encoder: Promise.resolve().then(() => create(format, isStreamed, emit)),
    hasSamples: false,
    isOpen: true,
  };
  jobs.set(id, job);
  // Prevents an unhandled rejection. The first call that awaits the encoder still gets the error.
  job.encoder.catch(() => undefined);
}

function create(format: EncodedFormat, isStreamed: boolean, emit: Emit): Promise<StreamEncoder> | StreamEncoder {
  if (format === 'mp3') return createMp3Encoder(isStreamed, emit);
  if (format === 'opus') return createOpusEncoder(isStreamed, emit);
  return createMediabunnyEncoder(format, isStreamed, emit);
}

async function proceed(type: MessageType, id: number, bytes: Buffer): Promise<void> {
  const job = jobs.get(id);
  if (job === undefined) return;
  if (type === MESSAGE.cancel) forget(id, job);
  const encoder = await job.encoder;
  if (type === MESSAGE.cancel) return encoder.cancel();
  if (type === MESSAGE.samples) {
    job.hasSamples ||= bytes.length > 0;
    // Copies the bytes, because 16-bit samples must begin at an even address.
    await encoder.write(new Int16Array(new Uint8Array(bytes).buffer));
    return writeMessage(wire, MESSAGE.taken, id);
  }
  if (!job.hasSamples) await encoder.write(new Int16Array(SILENCE_SAMPLES));
  await encoder.finish();
  writeMessage(wire, MESSAGE.finished, id);
  forget(id, job);
}

function forget(id: number, job: Job): void {
  job.isOpen = false;
  jobs.delete(id);
}
