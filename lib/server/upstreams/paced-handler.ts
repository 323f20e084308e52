import { DecoratorHandler, type Dispatcher } from 'undici';
import { PacedSocket } from './paced-socket';
import { SilenceWatch } from './silence-watch';
import { INTERIM_MAX } from './upstream-reads';
import { UpstreamFailed } from './models/upstream-failure';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

/**
 * Stands between undici and what handles an answer, so that an upstream cannot choose what its answer costs: chunks that
 * are read together are handed on together, in time to be sent together, and interim responses are few and not handed on. For dispatchers whose sockets
 * are paced (`pacedConnect`), and whose own time-out for bodies is off.
 */
export class PacedHandler implements Handler, Controller {
  #controller: Controller | null = null;
  #socket: PacedSocket | null = null;
  #abortReason: Error | null = null;
  #interimCount = 0;
  /** What came after the first chunk of those that were read together. */
  #joined: Buffer[] = [];
  #isHeldBack = false;
  /** How long the body may bring nothing, while it is not held back. */
  readonly #silence = new SilenceWatch(() => this.#fallSilent());

  /** @param idleTimeoutMs between two parts of the body; 0 where the handler watches that itself */
  constructor(
    private readonly handler: Handler,
    private readonly idleTimeoutMs: number,
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

  /** The first chunk goes on at once, and most come alone. */
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
    // Called off for what was flushed: undici, for which it has ended, would not say so.
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

  /** The socket is another answer's from now on. */
  #leave(): void {
    this.#silence.stop();
    this.#socket?.goOn();
    this.#socket = null;
  }
}

/** Paces the answers to whatever is asked over a dispatcher, as `PacedHandler` has it. */
export function pacing(idleTimeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, new PacedHandler(new DecoratorHandler(handler), idleTimeoutMs));
}
