import { type Dispatcher, Pool } from 'undici';
import type { UpstreamConfig } from '../config/load';
import type { WhenGone } from '../http/call';

/** Why an upstream gave no usable answer. Its text names no URL, since URLs hold keys. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly brand = 'turnpike.UpstreamFailure';

  constructor(
    readonly reason: 'connection' | 'timeout' | 'status' | 'too-large' | 'not-json' | 'mismatch' | 'aborted',
    message: string,
  ) {
    super(message);
  }
}

/** Whether a thrown value is an `UpstreamFailure`, of this bundle or another of the same process. */
export function isUpstreamFailure(value: unknown): value is UpstreamFailure {
  return typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.UpstreamFailure';
}

export interface UpstreamOptions {
  connections: number;
  connectTimeoutMs: number;
  /** From sending a request to the last byte of its answer. */
  timeoutMs: number;
  answerBytesMax: number;
}

/** One JSON-RPC endpoint over HTTP, with connections that are kept alive. */
export class Upstream {
  readonly #pool: Pool;
  readonly #options: UpstreamOptions;
  readonly #request: Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers'>;

  constructor({ url, headers }: UpstreamConfig, options: UpstreamOptions) {
    const parsed = new URL(url.reveal());
    this.#options = options;
    this.#request = {
      path: parsed.pathname + parsed.search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...basicAuthorization(parsed),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
      },
    };
    // The time-outs of a whole call are kept below: one timer instead of two for each request.
    this.#pool = new Pool(parsed.origin, {
      connections: options.connections,
      connect: { timeout: options.connectTimeoutMs },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Posts a body and collects the whole answer, once: nothing is tried again here.
   * @param whenGone where nobody waits for the answer any more once the client is gone.
   * @throws UpstreamFailure where there is no complete answer of status 200 within the time and size.
   */
  post(body: string, whenGone?: WhenGone): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(this.#options, whenGone, resolve, reject);
      this.#pool.dispatch({ ...this.#request, body }, exchange);
    });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** One request and its answer, as undici reports them. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: (() => void) | undefined;
  #length = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #failure: UpstreamFailure | null = null;
  #settled = false;

  constructor(
    private readonly options: UpstreamOptions,
    whenGone: WhenGone | undefined,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (failure: UpstreamFailure) => void,
  ) {
    this.#timer = setTimeout(() => this.#abort(new UpstreamFailure('timeout', `no complete answer within ${options.timeoutMs} ms`)), options.timeoutMs);
    this.#stopListening = whenGone?.(() => this.#abort(new UpstreamFailure('aborted', 'the client closed the connection')));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    const isInterim = status < 200;
    if (!isInterim && status !== 200) controller.abort(new UpstreamFailure('status', `it answered with status ${status}`));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.options.answerBytesMax) {
      controller.abort(new UpstreamFailure('too-large', `its answer is larger than ${this.options.answerBytesMax} bytes`));
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.#settle();
    this.resolve(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #abort(failure: UpstreamFailure): void {
    this.#failure = failure;
    this.#controller?.abort(failure);
    this.#fail(failure);
  }

  #fail(error: Error): void {
    if (this.#settled) return;
    this.#settle();
    this.reject(isUpstreamFailure(error) ? error : new UpstreamFailure('connection', connectionFault(error)));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }
}

const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it reset the connection',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time',
  UND_ERR_SOCKET: 'it closed the connection before the answer was complete',
};

/** Node's messages name hosts and ports; only the kind of fault is passed on. */
function connectionFault(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return CONNECTION_FAULTS[code] ?? `the connection failed${code ? ` (${code})` : ''}`;
}

function basicAuthorization(url: URL): Record<string, string> {
  if (!url.username && !url.password) return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
