import type { Call } from '../http/call';
import type { Endpoint } from '../http/endpoint';
import type { AskedUpstream, Attempt, RequestSpan } from '../http/request-record';
import { traceparentOf } from '../http/trace-context';
import type { AccountName } from '../telemetry/account-name';
import type { SpanAttributes, StartedSpan, Tracing } from '../telemetry/otlp-tracing';

interface RequestTracesSettings {
  tracing: Tracing;
  /** Share of requests that are traced, 0 to 1. */
  share: number;
  accountName: AccountName;
  endpoints: readonly Endpoint[];
  random?: () => number;
}

/**
 * Traces a share of requests, with a span for each request and each upstream attempt. Continues the caller's trace, but
 * does not obey its sampling flag. Otherwise a caller could have every request traced.
 */
export class RequestTraces {
  readonly #paths: ReadonlySet<string>;
  readonly #random: () => number;

  constructor(private readonly settings: RequestTracesSettings) {
    this.#paths = new Set(settings.endpoints.map(({ path }) => path));
    this.#random = settings.random ?? Math.random;
  }

  begin({ path }: Endpoint, { record, method }: Call): void {
    const { tracing, share } = this.settings;
    if (this.#random() >= share) return;
    const known = this.#paths.has(path) ? path : null;
    const verb = METHODS.has(method) ? method : '_OTHER';
    const name = known === null ? verb : `${verb} ${known}`;
    record.span = new TracedRequest(
      tracing.start(
        name,
        { 'http.request.method': verb, ...(known === null ? {} : { 'http.route': known }) },
        record.trace,
      ),
      record.trace?.isSampled ?? true,
    );
  }

  end(call: Call): void {
    const { record } = call;
    const { span } = record;
    if (!(span instanceof TracedRequest)) return;
    record.whenClosed(() =>
      span.end(
        this.#attributesOf(call),
        record.isCut ? 'cut' : record.status >= 500 ? (record.code ?? String(record.status)) : null,
      ),
    );
  }

  #attributesOf({ record, requestId }: Call): SpanAttributes {
    const { accountId, network, model, code } = record;
    return {
      'http.response.status_code': record.status,
      'turnpike.request_id': requestId,
      'turnpike.attempts': record.attempts,
      'turnpike.cost_nano_usd': record.costNanoUsd,
      ...(accountId === null || accountId === 0 ? {} : { 'turnpike.account': this.settings.accountName(accountId) }),
      ...(network === null ? {} : { 'turnpike.network': network }),
      ...(model === null ? {} : { 'turnpike.model': model }),
      ...(code === null ? {} : { 'turnpike.code': code }),
    };
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

class TracedRequest implements RequestSpan {
  constructor(
    private readonly span: StartedSpan,
    private readonly isSampled: boolean,
  ) {}

  get traceId(): string {
    return this.span.traceId;
  }

  asks({ name, sendsTraceContext }: AskedUpstream): Attempt {
    const child = this.span.child(`ask ${name}`, { 'turnpike.upstream': name });
    return {
      traceparent: sendsTraceContext
        ? traceparentOf({ traceId: child.traceId, isSampled: this.isSampled }, child.spanId)
        : null,
      end: (failure) => child.end({}, failure),
    };
  }

  end(attributes: SpanAttributes, failure: string | null): void {
    this.span.end(attributes, failure);
  }
}
