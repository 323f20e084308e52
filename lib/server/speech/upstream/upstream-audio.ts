import type { Dispatcher } from 'undici';
import { BodyParts } from '../../http/body-parts';
import { UpstreamFailed, upstreamFailure } from '../../upstreams/models/upstream-error';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';

const WAITING_BYTES_MAX = 1 << 20;
const ERROR_BYTES_MAX = 65_536;

/**
 * An upstream's answer. It is read once, while it arrives: first the status, then the bytes, as fast as the reader
 * accepts them.
 */
export class UpstreamAudio implements Dispatcher.DispatchHandler, AsyncIterable<Buffer> {
  /**
   * Status and headers of the answer.
   * @throws UpstreamFailed if there is no answer
   */
  readonly head: Promise<Pick<UpstreamAnswer, 'status' | 'headers'>>;
  /** Resolves when the answer ends, with true if the answer is complete. Never rejects. */
  readonly ended: Promise<boolean>;
  #opened!: (head: Pick<UpstreamAnswer, 'status' | 'headers'>) => void;
  #refused!: (error: Error) => void;
  #hasEnded!: (isWhole: boolean) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #waiting = new BodyParts();
  #bytes = 0;
  #isDone = false;
  #failure: Error | null = null;
  #isPaused = false;
  #wake: (() => void) | null = null;

  constructor(private readonly bytesMax: number) {
    this.head = new Promise((resolve, reject) => {
      this.#opened = resolve;
      this.#refused = reject;
    });
    // Prevents an unhandled rejection if the answer fails before it is read.
    this.head.catch(() => undefined);
    this.ended = new Promise((resolve) => (this.#hasEnded = resolve));
  }

  /** True if the text was sent, so that the upstream may be working on it. */
  get isSent(): boolean {
    return this.#controller !== null;
  }

  abort(): void {
    if (this.#isDone || this.#failure) return;
    this.#fail(new UpstreamFailed('gone'));
    this.#controller?.abort(new UpstreamFailed('gone'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamAnswer['headers'],
  ): void {
    if (status >= 200) this.#opened({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.bytesMax) {
      controller.abort(new UpstreamFailed('too-long'));
      return;
    }
    this.#waiting.add(chunk);
    if (this.#waiting.length > WAITING_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      controller.pause();
    }
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#isDone = true;
    this.#hasEnded(true);
    this.#wake?.();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(upstreamFailure(error));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#waiting.length > 0) {
        yield* this.#take();
      } else if (this.#failure) {
        throw this.#failure;
      } else if (this.#isDone) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = null;
      }
    }
  }

  async errorBody(): Promise<Buffer> {
    const parts = new BodyParts();
    try {
      for await (const part of this) {
        parts.add(part);
        if (parts.length > ERROR_BYTES_MAX) break;
      }
    } catch {
      // If the body was cut off, returns the bytes that arrived.
    }
    this.abort();
    return parts.whole().subarray(0, ERROR_BYTES_MAX);
  }

  *#take(): Generator<Buffer> {
    const taken = this.#waiting;
    this.#waiting = new BodyParts();
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#controller?.resume();
    }
    for (const { buffer, byteOffset, byteLength } of taken) yield Buffer.from(buffer, byteOffset, byteLength);
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#refused(this.#failure);
    this.#hasEnded(false);
    this.#wake?.();
  }
}
