import type { Attributes, Span } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

const COMPLAINT_MS = 60_000;
const EXPORT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Maximum length of a logged failure reason, which may contain text from the receiver. */
const REASON_CHARACTERS_MAX = 200;
const QUEUE_MAX = 2_048;

/** Attributes of a span: numbers, and names from fixed lists as in `RequestRecord`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface StartedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Starts a child span for a request to another service. */
  child(name: string, attributes: SpanAttributes): StartedSpan;
  /** Ends the span. @param failure kind of failure in one word; null if there was none */
  end(attributes: SpanAttributes, failure: string | null): void;
}

export interface Tracing {
  /** Starts a span for a caller's request. @param parent the caller's span, if known */
  start(name: string, attributes: SpanAttributes, parent: { traceId: string; parentId: string } | null): StartedSpan;
  /** Tries to send the remaining spans for a limited time, then drops the rest. Never rejects. */
  close(): Promise<void>;
}

interface OtlpOptions {
  /** URL of the receiver, including the path of traces. */
  url: { reveal(): string };
  headers: Readonly<Record<string, { reveal(): string }>>;
  serviceName: string;
  /** Called for failed exports, at most once per `COMPLAINT_MS`, and if `close` times out. */
  onFailure(reason: string): void;
  delayMs?: number;
}

/**
 * Sends traces by OTLP/HTTP, as JSON, in the background. Drops them if the receiver is unavailable. Loads the SDK only
 * when called, because it uses much memory.
 */
export async function openOtlpTracing({
  url,
  headers,
  serviceName,
  onFailure,
  delayMs = 2_000,
}: OtlpOptions): Promise<Tracing> {
  const [
    { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags },
    { BatchSpanProcessor, TracerProvider },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const revealed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
  const exporter = withComplaints(
    new OTLPTraceExporter({ url: url.reveal(), headers: revealed, timeoutMillis: EXPORT_TIMEOUT_MS }),
    onFailure,
  );
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    maxQueueSize: QUEUE_MAX,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('turnpike');

  const started = (span: Span): StartedSpan => ({
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    child: (name, attributes) =>
      started(
        tracer.startSpan(
          name,
          { kind: SpanKind.CLIENT, attributes: { ...attributes } },
          trace.setSpan(ROOT_CONTEXT, span),
        ),
      ),
    end: (attributes, failure) => {
      const told: Attributes = failure === null ? { ...attributes } : { ...attributes, 'error.type': failure };
      span.setAttributes(told);
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  });
  return {
    start: (name, attributes, parent) => {
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.parentId,
            traceFlags: TraceFlags.SAMPLED,
            isRemote: true,
          })
        : ROOT_CONTEXT;
      return started(tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, context));
    },
    close: async () => {
      if (!(await endsWithin(CLOSE_TIMEOUT_MS, provider.shutdown())))
        onFailure('the receiver did not accept the remaining traces in time');
    },
  };
}

/** Waits up to `timeoutMs`. @returns whether the work ended, successfully or not */
async function endsWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, timeoutMs, false)));
  const ended = await Promise.race([work.then(isOver, isOver), over]);
  clearTimeout(timer);
  return ended;
}

const isOver = (): boolean => true;

/** Reports failed exports, because the SDK itself does not. */
function withComplaints(exporter: SpanExporter, onFailure: OtlpOptions['onFailure']): SpanExporter {
  let complainedAt = -Infinity;
  return {
    export: (spans: ReadableSpan[], done) => {
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (result.error && now - complainedAt >= COMPLAINT_MS) {
          complainedAt = now;
          onFailure(result.error.message.slice(0, REASON_CHARACTERS_MAX));
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
