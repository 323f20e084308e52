import { DecoratorHandler, type Dispatcher } from 'undici';
import { BodyParts } from '../http/body-parts';
import { INTERIM_MAX, upstreamReads } from './upstream-reads';
import { UpstreamFailed } from './models/upstream-failure';

/** To hand on a chunk takes undici as long as to copy so many bytes. */
const CHUNK_BYTES = 1_024;
/** Chunks that follow one another are joined up to so much. */
const JOINED_BYTES = 16_384;

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/**
 * Stands between undici and what handles an answer, so that an upstream cannot choose what its answer costs: chunks that
 * arrive together are handed on together, answers of all upstreams are read by turns, and interim responses are few and
 * not handed on.
 */
export class PacedHandler implements Handler, Controller {
  #controller: Controller | null = null;
  #interimCount = 0;
  /** What came after the first chunk of those that arrived together. */
  #joined: BodyParts | null = null;
  #isArriving = false;
  /** Whether it waits for the next turn. */
  #isWaiting = false;
  /** Whether the handler takes no more. */
  #isHeldBack = false;

  constructor(private readonly handler: Handler) {}

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
    this.#controller?.abort(reason);
  }

  pause(): void {
    this.#isHeldBack = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#isHeldBack = false;
    // Not at once: undici cannot read on while it hands on something of another answer, which may be why there is room.
    queueMicrotask(this.#readOn);
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#controller = controller;
    this.handler.onRequestStart?.(this, context);
  }

  onResponseStart(controller: Controller, status: number, headers: Parameters<NonNullable<Handler['onResponseStart']>>[2], statusMessage?: string): void {
    if (status >= 200) this.handler.onResponseStart?.(this, status, headers, statusMessage);
    else if (++this.#interimCount > INTERIM_MAX) controller.abort(new UpstreamFailed('away'));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handOn(chunk);
    if (this.#isWaiting || upstreamReads.take(chunk.length + CHUNK_BYTES, this.#goOn)) return;
    this.#isWaiting = true;
    controller.pause();
  }

  onResponseEnd(_controller: Controller, trailers: Parameters<NonNullable<Handler['onResponseEnd']>>[1]): void {
    this.#flush();
    this.handler.onResponseEnd?.(this, trailers);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#flush();
    this.handler.onResponseError?.(this, error);
  }

  /** The first chunk goes on at once, and most come alone. */
  #handOn(chunk: Buffer): void {
    if (!this.#isArriving) {
      this.#isArriving = true;
      queueMicrotask(this.#arrived);
      this.handler.onResponseData?.(this, chunk);
      return;
    }
    (this.#joined ??= new BodyParts()).copy(chunk);
    if (this.#joined.length >= JOINED_BYTES) this.#flush();
  }

  readonly #arrived = (): void => {
    this.#isArriving = false;
    this.#flush();
  };

  readonly #goOn = (): void => {
    this.#isWaiting = false;
    this.#readOn();
  };

  readonly #readOn = (): void => {
    if (!this.#isHeldBack && !this.#isWaiting) this.#controller?.resume();
  };

  #flush(): void {
    const joined = this.#joined;
    this.#joined = null;
    if (joined && !this.aborted) this.handler.onResponseData?.(this, joined.whole());
  }
}

/** Paces the answers to whatever is asked over a dispatcher. */
export const pacing: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => dispatch(options, new PacedHandler(new DecoratorHandler(handler)));
