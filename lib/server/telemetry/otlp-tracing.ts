import type { Attributes, Span } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Between two sentences in the log about spans that could not be sent. */
const COMPLAINT_MS = 60_000;
const EXPORT_TIMEOUT_MS = 10_000;
/** For what is left when the gateway closes, which waits for it no longer than this. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Of what the log says about a failure: a receiver's own words may stand in it. */
const REASON_CHARACTERS_MAX = 200;
/** Spans that wait to be sent; beyond it they are dropped. */
const QUEUE_MAX = 2_048;

/** Numbers and names alone; see `RequestRecord` for what they may be. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Something that has begun in a trace. */
export interface StartedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Something that is done for it, at somebody else's. */
  child(name: string, attributes: SpanAttributes): StartedSpan;
  /** @param failure a word for what failed; null where nothing did. */
  end(attributes: SpanAttributes, failure: string | null): void;
}

/** Where traces are recorded. */
export interface Tracing {
  /** Something begins that is done for a caller. @param parent the span of the caller, if it told of any. */
  start(name: string, attributes: SpanAttributes, parent: { traceId: string; parentId: string } | null): StartedSpan;
  /** Sends what is left, for a bounded time; what could not be sent then is lost. Never rejects. */
  close(): Promise<void>;
}

export interface OtlpOptions {
  /** Of the receiver, with the path for traces. */
  url: { reveal(): string };
  headers: Readonly<Record<string, { reveal(): string }>>;
  serviceName: string;
  /** Hears now and then that spans could not be sent, and why in a few words. */
  onFailure(reason: string): void;
  /** How long spans wait to be sent together. */
  delayMs?: number;
}

/**
 * Sends traces by OTLP/HTTP, as JSON. The SDK is loaded here and nowhere else: a gateway without a receiver has nothing
 * of it in memory. Spans are sent beside the calls; where the receiver is away they are dropped.
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
        onFailure('the receiver did not take what was left in time');
    },
  };
}

/** Waits for the work for a bounded time. @returns whether it ended; that it failed has been said by then. */
async function endsWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, timeoutMs, false)));
  const ended = await Promise.race([work.then(isOver, isOver), over]);
  clearTimeout(timer);
  return ended;
}

const isOver = (): boolean => true;

/** The SDK keeps to itself what it could not send. */
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
