import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import type { WhenGone } from '../http/call';
import { retryAfterMs } from './retry-after';
import { isUpstreamFailure, UpstreamFailure } from './upstream-failure';

/** An error page is read so far that its connection can be used again. */
const ERROR_BODY_BYTES_MAX = 65_536;
const ERROR_BODY_MS_MAX = 1_000;

type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * One request and its answer, as undici reports them: resolves with the whole body of an answer of status 200 within
 * the time and size, else rejects with an UpstreamFailure, once.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout;
  readonly #stopListening: (() => void) | undefined;
  #length = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #failure: UpstreamFailure | null = null;
  #settled = false;
  #endBeforeTimer = false;

  constructor(
    timeoutMs: number,
    private readonly answerBytesMax: number,
    whenGone: WhenGone | undefined,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (failure: UpstreamFailure) => void,
  ) {
    this.#timer = setTimeout(() => this.#abort(new UpstreamFailure('timeout', `no complete answer within ${timeoutMs} ms`)), timeoutMs);
    this.#stopListening = whenGone?.(() => this.#abort(new UpstreamFailure('aborted', 'the client closed the connection')));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHeaders): void {
    // Interim responses (RFC 9110, section 15.2) come before the answer.
    if (status < 200) return;
    if (status !== 200) {
      this.#fail(statusFailure(status, headers));
      this.#drain(controller);
    } else if (Number(headers['content-length']) > this.answerBytesMax) {
      controller.abort(this.#tooLarge());
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#settled) {
      if (this.#length > ERROR_BODY_BYTES_MAX) controller.abort(new UpstreamFailure('too-large', 'its error page is long'));
    } else if (this.#length > this.answerBytesMax) {
      controller.abort(this.#tooLarge());
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#endBeforeTimer) clearTimeout(this.#timer);
    if (this.#settled) return;
    this.#settle();
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length);
    // JSON is UTF-8 (RFC 8259); the check costs 0.05 ms a megabyte, a decoder sixty times that.
    if (isUtf8(body)) this.resolve(body);
    else this.reject(new UpstreamFailure('not-json', 'its answer is not valid UTF-8'));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#endBeforeTimer) clearTimeout(this.#timer);
    this.#fail(error);
  }

  /** The verdict is in; the rest of the error page flows away, so that its connection is kept. */
  #drain(controller: Dispatcher.DispatchController): void {
    this.#endBeforeTimer = true;
    this.#timer = setTimeout(() => controller.abort(new UpstreamFailure('timeout', 'its error page is slow')), ERROR_BODY_MS_MAX);
    this.#timer.unref();
  }

  #tooLarge(): UpstreamFailure {
    return new UpstreamFailure('too-large', `its answer is larger than ${this.answerBytesMax} bytes`);
  }

  #abort(failure: UpstreamFailure): void {
    this.#failure = failure;
    this.#controller?.abort(failure);
    this.#fail(failure);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#settle();
    this.#chunks.length = 0;
    this.reject(isUpstreamFailure(error) ? error : new UpstreamFailure('connection', connectionFault(error), { unsent: this.#controller === null }));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }
}

function statusFailure(status: number, headers: IncomingHeaders): UpstreamFailure {
  const rest = retryAfterMs(headers['retry-after'], Date.now());
  if (status === 429) return new UpstreamFailure('rate-limited', 'it answered with status 429', { status, ...(rest === undefined ? {} : { retryAfterMs: rest }) });
  if (status === 503 && rest !== undefined) return new UpstreamFailure('rate-limited', 'it answered with status 503', { status, retryAfterMs: rest });
  return new UpstreamFailure('status', `it answered with status ${status}`, { status });
}

const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it closed the connection before the answer was complete',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time',
  UND_ERR_SOCKET: 'it closed the connection before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer is shorter or longer than it said',
};

/** Node's messages name hosts and ports; only the kind of fault is passed on. */
function connectionFault(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('HPE_')) return 'its answer is no HTTP';
  return CONNECTION_FAULTS[code] ?? `the connection failed${/^[A-Z_]+$/.test(code) ? ` (${code})` : ''}`;
}
