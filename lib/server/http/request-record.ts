import { newSpanId, readTraceparent, type TraceContext, traceparentOf } from './trace-context';

/** Somebody who is asked on behalf of a request. */
export interface AskedUpstream {
  /** As the configuration names it: `upstream 1`, `ollama`. Never its address, which may hold a key. */
  readonly name: string;
  /** Whether it may see which trace a request belongs to. */
  readonly sendsTraceContext: boolean;
}

/** One question to an upstream, as far as traces go. */
export interface Attempt {
  /** What the upstream is told of the trace; null where it may not see it. */
  readonly traceparent: string | null;
  /** It has answered, or failed for this reason. */
  end(failure: string | null): void;
}

/** Ends an attempt with the answer that it waits for. */
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

/** By the word that failures of upstreams have for it: their sentences may quote an answer. */
function reasonOf(error: unknown): string {
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' ? reason : 'failed';
}

/** A request in a trace that is recorded here. */
export interface RequestSpan {
  readonly traceId: string;
  asks(upstream: AskedUpstream): Attempt;
}

/**
 * What is found out about a request on its way, for whoever hears how it came out. Noting is an assignment, so that it
 * costs nothing where nobody wants to know. It can hold numbers, ids of ours and names that are listed here, and has no
 * place for a key, a wallet, a prompt or an address: networks, models and upstreams come in as the objects that were
 * found under what a caller wrote.
 */
export class RequestRecord {
  /** Whose request it is; null while that is not known, and where there is no account. */
  accountId: number | null = null;
  #network: string | null = null;
  #model: string | null = null;
  #upstream: string | null = null;
  /** Questions to upstreams: none where memory answered, or an identical question that was under way. */
  attempts = 0;
  costNanoUsd = 0;
  /** Of the answer. */
  status = 0;
  /** Of the table of errors; null for an answer that is none. */
  code: string | null = null;
  /** Milliseconds of `performance.now()`: when it came, when its answer was made or began, when that was over. */
  startedAt = 0;
  answeredAt = 0;
  endedAt = 0;
  /** Of a body that was pushed, what went into it; null for one that was whole. */
  pushedBytes: number | null = null;
  /** Whether the answer broke off, or its reader left. */
  isCut = false;
  /** Where its trace is recorded. */
  span: RequestSpan | null = null;
  #trace: TraceContext | null | undefined;
  #isOpen = false;
  #whenClosed: (() => void) | null = null;

  /** @param headers of the request, of which only `traceparent` is ever read here. */
  constructor(private readonly headers: { header(name: string): string | null }) {}

  get network(): string | null {
    return this.#network;
  }

  get model(): string | null {
    return this.#model;
  }

  /** Who answered; before, and where nobody did, who was asked last. */
  get upstream(): string | null {
    return this.#upstream;
  }

  /** What it is for: a network that is served here. */
  ofNetwork({ slug }: { readonly slug: string }): void {
    this.#network = slug;
  }

  /** What it is for: a model that is listed here. */
  ofModel({ id }: { readonly id: string }): void {
    this.#model = id;
  }

  /** The trace that the caller says it belongs to. */
  get trace(): TraceContext | null {
    if (this.#trace === undefined) this.#trace = readTraceparent(this.headers.header('traceparent'));
    return this.#trace;
  }

  /** An upstream is asked. @returns null where no trace has anything to do with it, which is the rule. */
  asks(upstream: AskedUpstream): Attempt | null {
    this.attempts++;
    this.#upstream = upstream.name;
    if (this.span !== null) return this.span.asks(upstream);
    if (!upstream.sendsTraceContext || this.trace === null) return null;
    return { traceparent: traceparentOf(this.trace, newSpanId()), end: () => undefined };
  }

  /** Its answer is the one that counts. */
  answeredBy({ name }: Pick<AskedUpstream, 'name'>): void {
    this.#upstream = name;
  }

  /** Money is held for it: what it cost is not known before `closed`. */
  opened(): void {
    this.#isOpen = true;
  }

  /** What it cost is committed, or will be nothing. */
  closed(): void {
    this.#isOpen = false;
    this.#whenClosed?.();
    this.#whenClosed = null;
  }

  /** Calls back once it is known what it cost: at once, but for streams whose reader has left. */
  whenClosed(then: () => void): void {
    if (!this.#isOpen) return then();
    const before = this.#whenClosed;
    this.#whenClosed = () => {
      before?.();
      then();
    };
  }
}
