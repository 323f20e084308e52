import { newSpanId, readTraceparent, type TraceContext, traceparentOf } from './trace-context';

export interface AskedUpstream {
  /** Configured name, such as `upstream 1` or `ollama`. It is never the URL, because a URL may contain an API key. */
  readonly name: string;
  readonly sendsTraceContext: boolean;
}

/** Request to an upstream, for traces. */
export interface Attempt {
  /** Trace context for the upstream; null if the upstream must not receive it. */
  readonly traceparent: string | null;
  /** Ends the attempt. @param failure reason for the failure; null if the upstream answered */
  end(failure: string | null): void;
}

export async function untilEnded<T>(answer: Promise<T>, attempt: Attempt): Promise<T> {
  try {
    const given = await answer;
    attempt.end(null);
    return given;
  } catch (error) {
    attempt.end(reasonOf(error));
    throw error;
  }
}

/** Returns only a reason code, because a failure's message may quote an answer. */
function reasonOf(error: unknown): string {
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' ? reason : 'failed';
}

export interface RequestSpan {
  readonly traceId: string;
  asks(upstream: AskedUpstream): Attempt;
}

/**
 * Collects facts about a request for logs, metrics and traces. The facts are numbers, the gateway's ids, and names that
 * the gateway knows. They include no API key, wallet, prompt or IP address. A network, model or upstream is recorded as
 * an object, never as text from the caller.
 */
export class RequestRecord {
  accountId: number | null = null;
  apiKeyId: number | null = null;
  #network: string | null = null;
  #model: string | null = null;
  #upstream: string | null = null;
  /** Number of requests to upstreams; 0 if the answer was cached or shared. */
  attempts = 0;
  costNanoUsd = 0;
  /** Credits, tokens, characters, pictures or seconds that were charged. */
  units = 0;
  /**
   * The JSON-RPC method if its text has the form of a method name, even if the gateway does not know it. For a batch,
   * its size.
   */
  method: string | null = null;
  status = 0;
  /** Error code from the error table; null if there was no error. */
  code: string | null = null;
  /**
   * Times by `performance.now()`: when the request arrived, when the answer's first byte or the whole answer was ready,
   * and when the answer ended.
   */
  startedAt = 0;
  answeredAt = 0;
  endedAt = 0;
  /** Bytes written so far of a streamed body; null for a whole body. */
  pushedBytes: number | null = null;
  isCut = false;
  span: RequestSpan | null = null;
  #trace: TraceContext | null | undefined;
  #isOpen = false;
  #whenClosed: (() => void) | null = null;

  /** @param headers the request's headers, of which only `traceparent` is read */
  constructor(private readonly headers: { header(name: string): string | null }) {}

  get network(): string | null {
    return this.#network;
  }

  get model(): string | null {
    return this.#model;
  }

  /** Name of the upstream that answered. If none answered, name of the last upstream asked. */
  get upstream(): string | null {
    return this.#upstream;
  }

  ofNetwork({ slug }: { readonly slug: string }): void {
    this.#network = slug;
  }

  ofModel({ id }: { readonly id: string }): void {
    this.#model = id;
  }

  get trace(): TraceContext | null {
    if (this.#trace === undefined) this.#trace = readTraceparent(this.headers.header('traceparent'));
    return this.#trace;
  }

  /** Records that a request to an upstream begins. @returns null if the request is not traced, which is usual */
  asks(upstream: AskedUpstream): Attempt | null {
    this.attempts++;
    this.#upstream = upstream.name;
    if (this.span !== null) return this.span.asks(upstream);
    if (!upstream.sendsTraceContext || this.trace === null) return null;
    return { traceparent: traceparentOf(this.trace, newSpanId()), end: () => undefined };
  }

  answeredBy({ name }: Pick<AskedUpstream, 'name'>): void {
    this.#upstream = name;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Called when money is reserved. The cost is unknown until `closed` is called. */
  opened(): void {
    this.#isOpen = true;
  }

  /** Called when the cost is committed, or is known to be zero. */
  closed(): void {
    this.#isOpen = false;
    this.#whenClosed?.();
    this.#whenClosed = null;
  }

  /** Calls `then` when the cost is known: immediately, except for streams whose reader disconnected. */
  whenClosed(then: () => void): void {
    if (!this.#isOpen) return then();
    const before = this.#whenClosed;
    this.#whenClosed = () => {
      before?.();
      then();
    };
  }
}
