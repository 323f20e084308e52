import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { EncodingFailedError } from './encoding-error';
import {
  type EncodedFormat,
  type EncoderOrder,
  MESSAGE,
  MessageReader,
  type MessageType,
  writeMessage,
} from './encoder-messages';

interface JobListener {
  onBytes(bytes: Uint8Array): void;
}

interface Job extends JobListener {
  pending: { resolve: () => void; reject: (error: Error) => void } | undefined;
}

/** A job in an encoder process. Do not call `write` or `finish` before the previous call has resolved. */
export interface EncoderJob {
  /**
   * Resolves when the encoder has encoded the samples.
   * @throws {EncodingFailedError}
   */
  write(samples: Int16Array): Promise<void>;
  /** Resolves when the last bytes have been delivered. @throws {EncodingFailedError} */
  finish(): Promise<void>;
  cancel(): void;
}

interface EncoderProcessOptions {
  file: string;
  /** Maximum time without a message while the process has work. After this time, the process is killed. */
  silenceTimeoutMs: number;
}

/** File descriptor used only for messages, so that a library's output cannot corrupt them. */
const WIRE_FD = 3;

/**
 * An encoder process. If it dies or hangs, all its jobs fail. It is not a thread, because a hung thread could hold
 * locks that the gateway needs.
 */
export class EncoderProcess {
  #child: ChildProcess;
  #wire: Socket;
  #jobs = new Map<number, Job>();
  #nextJob = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EncoderProcessOptions) {
    this.#child = spawn(process.execPath, [options.file], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    this.#wire = this.#child.stdio[WIRE_FD] as Socket;
    this.#child.unref();
    this.#wire.unref();
    const reader = new MessageReader((type, job, bytes) => this.#receive(type, job, bytes));
    this.#wire.on('data', (piece: Buffer) => reader.push(piece));
    this.#wire.on('error', (error: Error) => this.#fail(`An audio encoder does not listen: ${error.message}`));
    this.#child.on('error', (error: Error) => this.#fail(`An audio encoder failed: ${error.message}`));
    this.#child.on('exit', () => this.#fail('An audio encoder ended.'));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  open(format: EncodedFormat, isStreamed: boolean, listener: JobListener): EncoderJob {
    const id = this.#nextJob++;
    const job: Job = { onBytes: listener.onBytes, pending: undefined };
    this.#jobs.set(id, job);
    // A running job keeps the gateway's process alive. An idle encoder does not.
    if (this.#jobs.size === 1) this.#wire.ref();
    this.#send(MESSAGE.open, id, Buffer.from(JSON.stringify({ format, isStreamed } satisfies EncoderOrder)));
    return {
      write: (samples) =>
        this.#ask(job, MESSAGE.samples, id, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)),
      finish: () => this.#ask(job, MESSAGE.finish, id),
      cancel: () => this.#cancel(id),
    };
  }

  async end(): Promise<void> {
    this.#fail('The audio encoders were closed.');
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await gone;
  }

  #ask(job: Job, type: MessageType, id: number, bytes?: Uint8Array): Promise<void> {
    if (this.#hasEnded || this.#jobs.get(id) !== job)
      return Promise.reject(new EncodingFailedError('The encoding has ended already.'));
    return new Promise((resolve, reject) => {
      job.pending = { resolve, reject };
      this.#send(type, id, bytes);
      this.#timer ??= setTimeout(() => this.#giveUp(), this.options.silenceTimeoutMs).unref();
    });
  }

  #receive(type: MessageType, id: number, bytes: Buffer): void {
    const job = this.#jobs.get(id);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (job === undefined) return this.#watch();
    if (type === MESSAGE.bytes) job.onBytes(bytes);
    else if (type === MESSAGE.failed) {
      this.#forget(id);
      job.pending?.reject(new EncodingFailedError(bytes.toString()));
    } else {
      const { pending } = job;
      job.pending = undefined;
      if (type === MESSAGE.finished) this.#forget(id);
      pending?.resolve();
    }
    this.#watch();
  }

  #watch(): void {
    if (this.#timer !== undefined || ![...this.#jobs.values()].some(({ pending }) => pending)) return;
    this.#timer = setTimeout(() => this.#giveUp(), this.options.silenceTimeoutMs).unref();
  }

  #giveUp(): void {
    this.#fail('An audio encoder did not answer in time.');
    this.#child.kill('SIGKILL');
  }

  #cancel(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#send(MESSAGE.cancel, id);
    this.#forget(id);
    job.pending?.reject(new EncodingFailedError('The encoding was cancelled.'));
  }

  #forget(id: number): void {
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#wire.unref();
  }

  #fail(sentence: string): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    for (const { pending } of this.#jobs.values()) pending?.reject(new EncodingFailedError(sentence));
    this.#jobs.clear();
    this.#wire.unref();
  }

  #send(type: MessageType, id: number, bytes?: Uint8Array): void {
    if (!this.#hasEnded) writeMessage(this.#wire, type, id, bytes);
  }
}
