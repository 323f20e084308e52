import type { Socket } from 'node:net';
import { buildConnector, DecoratorHandler, type Dispatcher } from 'undici';
import { UpstreamFailed } from './models/upstream-error';
import { SilenceWatch } from './silence-watch';
import { INTERIM_MAX, upstreamReads } from './upstream-reads';

/** Undici's cost for each chunk, as the number of bytes that could be copied in the same time. */
const CHUNK_BYTES = 1_024;
/** Maximum bytes per read. If the last read had many small chunks, the maximum is `READ_BYTES_OF_SMALL_CHUNKS`. */
const READ_BYTES = 8_192;
const READ_BYTES_OF_SMALL_CHUNKS = 2_048;
const SMALL_CHUNK_BYTES = 64;
/**
 * A read that costs at most this does not count toward the limit of an event-loop turn, because counting would cost
 * more than reading.
 */
const UNCOUNTED_BYTES = 8_192;

/**
 * Limits how much undici reads per turn of the event loop, and stops reading while the handler has paused the answer.
 * Replaces undici's own pause. If a connection closes during that pause, undici throws an error that cannot be caught,
 * and the answer never ends (nodejs/undici#5360).
 */
class PacedSocket {
  /** Socket that was read last. Undici passes on all chunks of a read before the next read begins. */
  static #readLast: PacedSocket | null = null;

  readonly #read: (size?: number) => Buffer | null;
  #isWaiting = false;
  #isHeldBack = false;
  #bytes = 0;
  #chunks = 0;
  #readBytes = READ_BYTES;
  #afterRead: (() => void) | null = null;

  constructor(private readonly socket: Socket) {
    this.#read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.read = () => this.#next();
  }

  static get current(): PacedSocket | null {
    return PacedSocket.#readLast;
  }

  /**
   * Counts a chunk that undici passed on.
   * @returns true for the first chunk of a read
   */
  handedOn(): boolean {
    return this.#chunks++ === 0;
  }

  afterRead(act: () => void): void {
    this.#afterRead = act;
  }

  holdBack(): void {
    this.#isHeldBack = true;
  }

  goOn(): void {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    // Reads later, because undici may be handling another answer in the current callback.
    queueMicrotask(this.#readOn);
  }

  #next(): Buffer | null {
    if (this.#bytes > 0) this.#count();
    if (this.#isWaiting || this.#isHeldBack) return null;
    const { readableLength } = this.socket;
    // Reads even if no bytes are buffered, because only a read makes the stream fetch more bytes and emit its end.
    const bytes = readableLength > 0 ? this.#read(Math.min(readableLength, this.#readBytes)) : this.#read();
    if (bytes === null) return null;
    this.#bytes = bytes.length;
    PacedSocket.#readLast = this;
    return bytes;
  }

  #count(): void {
    this.#afterRead?.();
    this.#afterRead = null;
    const [bytes, chunks] = [this.#bytes, this.#chunks];
    this.#readBytes = chunks * SMALL_CHUNK_BYTES > bytes ? READ_BYTES_OF_SMALL_CHUNKS : READ_BYTES;
    this.#bytes = this.#chunks = 0;
    const counted = bytes + chunks * CHUNK_BYTES;
    if (counted > UNCOUNTED_BYTES) this.#isWaiting = !upstreamReads.take(counted, this.#turnCame);
  }

  readonly #turnCame = (): void => {
    this.#isWaiting = false;
    this.#readOn();
  };

  readonly #readOn = (): void => {
    if (!this.#isWaiting && !this.#isHeldBack && !this.socket.destroyed) this.socket.emit('readable');
  };
}

export function pacedConnect(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      new PacedSocket(socket as Socket);
      callback(null, socket as Socket);
    });
}

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

/**
 * Makes it cheaper to pass answers from undici to a handler. Joins chunks that were read together, and drops interim
 * responses. Use this with `pacedConnect` and `bodyTimeout: 0`.
 */
export class PacedHandler implements Handler, Controller {
  #controller: Controller | null = null;
  #socket: PacedSocket | null = null;
  #abortReason: Error | null = null;
  #interimCount = 0;
  #joined: Buffer[] = [];
  #isHeldBack = false;
  /** Aborts an answer whose body has stopped arriving, unless the handler has paused the answer. */
  readonly #silence = new SilenceWatch(() => this.#fallSilent());

  /**
   * @param idleTimeoutMs maximum silence between two parts of the body; 0 if the handler has its own limit
   */
  constructor(
    private readonly handler: Handler,
    private readonly idleTimeoutMs: number,
    private readonly ended?: () => void,
  ) {}

  get aborted(): boolean {
    return this.#controller?.aborted ?? false;
  }

  get paused(): boolean {
    return this.#isHeldBack;
  }

  get reason(): Error | null {
    return this.#controller?.reason ?? null;
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }

  pause(): void {
    this.#isHeldBack = true;
    this.#socket?.holdBack();
  }

  resume(): void {
    this.#isHeldBack = false;
    this.#silence.heard();
    this.#socket?.goOn();
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#controller = controller;
    this.handler.onRequestStart?.(this, context);
  }

  onResponseStart(controller: Controller, status: number, headers: Headers, statusMessage?: string): void {
    if (status < 200) {
      if (++this.#interimCount > INTERIM_MAX) controller.abort(new UpstreamFailed('away'));
      return;
    }
    this.#socket = PacedSocket.current;
    if (this.idleTimeoutMs > 0) this.#silence.wait(this.idleTimeoutMs);
    this.handler.onResponseStart?.(this, status, headers, statusMessage);
  }

  /** Passes on the first chunk immediately, because most reads have only one chunk. */
  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#socket?.handedOn() !== false) {
      this.#silence.heard();
      this.handler.onResponseData?.(this, chunk);
      return;
    }
    if (this.#joined.length === 0) this.#socket.afterRead(this.#flush);
    this.#joined.push(chunk);
  }

  onResponseEnd(_controller: Controller, trailers: Headers): void {
    this.#flush();
    this.#leave();
    // The flush may abort an answer. undici considers this answer ended and would not report the abort.
    if (this.#abortReason) this.handler.onResponseError?.(this, this.#abortReason);
    else this.handler.onResponseEnd?.(this, trailers);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#flush();
    this.#leave();
    this.handler.onResponseError?.(this, error);
  }

  readonly #flush = (): void => {
    const joined = this.#joined;
    const [first] = joined;
    if (!first) return;
    this.#joined = [];
    if (!this.aborted) this.handler.onResponseData?.(this, joined.length === 1 ? first : Buffer.concat(joined));
  };

  #fallSilent(): void {
    if (this.#isHeldBack) this.#silence.wait(this.idleTimeoutMs);
    else this.abort(new UpstreamFailed('timeout'));
  }

  #leave(): void {
    this.#silence.stop();
    this.#socket?.goOn();
    this.#socket = null;
    this.ended?.();
  }
}

export function pacing(idleTimeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, new PacedHandler(new DecoratorHandler(handler), idleTimeoutMs));
}
