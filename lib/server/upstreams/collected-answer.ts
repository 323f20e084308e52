import { Agent, type Dispatcher } from 'undici';
import type { HeldMemory } from '../http/held-memory/held-memory';
import { HeldParts } from '../http/held-memory/held-parts';
import type { UpstreamAnswer } from './models/model-exchange';
import { UpstreamFailed, upstreamFailure } from './models/upstream-error';
import { pacedConnect, PacedHandler } from './paced-handler';
import { REQUEST_HEADERS } from './request-headers';

/**
 * Maximum time for a whole answer after its first-byte timeout. An idle timeout is not enough, because some servers
 * send empty lines while a model works.
 */
export const WHOLE_ANSWER_MS = 600_000;

export interface AnswerBounds {
  bytesMax: number;
  timeoutMs: number;
  /** Counts the bytes of long answers. If null or absent, nothing is counted. */
  memory?: HeldMemory | null;
}

export class CollectedAnswer implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #failure: UpstreamFailed | null = null;
  #status = 0;
  #headers: UpstreamAnswer['headers'] = {};
  readonly #body: HeldParts;
  readonly #overdue: NodeJS.Timeout;

  constructor(
    private readonly bounds: AnswerBounds,
    private readonly resolve: (answer: UpstreamAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.#body = new HeldParts(bounds.memory ?? null, () => this.#controller?.resume());
    this.#overdue = setTimeout(() => this.abort('timeout'), bounds.timeoutMs);
  }

  abort(reason: 'gone' | 'timeout'): void {
    const failure = new UpstreamFailed(reason, { isUnsent: !this.#controller });
    this.#controller?.abort(failure);
    this.#fail(failure);
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
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#failure) return;
    if (this.#body.length + chunk.length > this.bounds.bytesMax) controller.abort(new UpstreamFailed('too-long'));
    else if (!this.#body.add(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#failure) return;
    clearTimeout(this.#overdue);
    this.resolve({ status: this.#status, headers: this.#headers, body: this.#body.whole() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(upstreamFailure(error));
  }

  #fail(failure: UpstreamFailed): void {
    if (this.#failure) return;
    this.#failure = failure;
    clearTimeout(this.#overdue);
    this.#body.giveUp();
    this.reject(failure);
  }
}

/** HTTP agent for services to which the gateway rarely sends requests. */
const services = new Agent({ connect: pacedConnect({ timeout: 10_000 }) });

interface WholeRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/**
 * Sends a request and returns the whole answer with any status.
 * @throws UpstreamFailed if the upstream is unreachable, or if its answer is late or longer than `bytesMax`
 */
export function collectAnswer(
  { url, method, headers, body }: WholeRequest,
  bounds: AnswerBounds,
): Promise<UpstreamAnswer> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const collecting = new CollectedAnswer(bounds, resolve, reject);
    const { timeoutMs } = bounds;
    services.dispatch(
      {
        origin,
        method,
        path: pathname + search,
        headers: { ...REQUEST_HEADERS, ...headers },
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
      },
      new PacedHandler(collecting, 0),
    );
  });
}
