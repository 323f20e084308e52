import { DecoratorHandler, type Dispatcher } from 'undici';
import { PacedSocket } from './paced-socket';
import { SilenceWatch } from './silence-watch';
import { INTERIM_MAX } from './upstream-reads';
import { UpstreamFailed } from './models/upstream-failure';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Handler['onResponseStart']>>[2];

/**
 * Reduces the cost of answers between undici and a handler: joins chunks that were read together, and drops interim
 * responses. Use with `pacedConnect` and `bodyTimeout: 0`.
 */
export class PacedHandler implements Handler, Controller {
  #controller: Controller | null = null;
  #socket: PacedSocket | null = null;
  #abortReason: Error | null = null;
  #interimCount = 0;
  #joined: Buffer[] = [];
  #isHeldBack = false;
  /** Aborts a silent body, unless the handler paused the answer. */
  readonly #silence = new SilenceWatch(() => this.#fallSilent());

  /** @param idleTimeoutMs maximum silence between two parts of the body; 0 if the handler has its own limit */
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

  /** Passes on the first chunk at once, because most reads have only one chunk. */
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
    // If the flush aborted the answer, undici considers the answer ended and does not report the abort.
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
  }
}

export function pacing(idleTimeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, new PacedHandler(new DecoratorHandler(handler), idleTimeoutMs));
}
