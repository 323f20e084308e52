import type { PageBrand } from '@/lib/protocol/brand';
import { apiError, isApiError } from '@/lib/protocol/errors';
import type { ErrorForm } from '@/lib/protocol/translation/error-forms';
import type { Logger } from 'pino';
import { type BodySink, type Call, isPushBody, type PushBody, type Reply } from './call';
import { CORS_HEADERS, preflightHeaders } from './cors';
import { errorReply } from './error-reply';
import type { Operation } from './operation';
import type { RequestRecord } from './request-record';

/**
 * Default `Cache-Control`. Answers are paid for or depend on the caller. A shared cache that does not know
 * SIGN-IN-WITH-X would store them (RFC 9111, section 5.2.2.5).
 */
export const NO_STORE = 'no-store';

type Handler = (call: Call) => Reply | Promise<Reply>;

export interface Route {
  /** Path with its parameters in braces: `/api/v1/crypto/rpc/{network}`. */
  path: string;
  /** Description of each verb. Verbs without a description are not in the API description. */
  docs?: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Operation>>;
  /** Format of errors. Default: the gateway's. */
  errorForm?: ErrorForm;
  /**
   * Other accepted spellings of the path. `below-api` allows doubled slashes. `at-origin` also allows a missing `/api`.
   */
  untidy?: 'below-api' | 'at-origin';
  /** True to send no CORS headers, so that only pages of the same origin can read answers. */
  sameOrigin?: boolean;
}

/**
 * A path of the API, with a handler for each verb.
 *
 * The folder `http` owns everything between a socket and a handler: Call and Reply, routing, the entry points (node:http,
 * the fast path, Next), limits by client address, and the memory of large answers. Each request is parsed once.
 * `destination.ts` sends the request to the API or to the pages.
 *
 * Guarantees: one answer per request, bounded memory for slow readers, and errors without internals.
 */
export interface Endpoint extends Route {
  GET?: Handler;
  POST?: Handler;
  PATCH?: Handler;
  DELETE?: Handler;
  ANY?: Handler;
}

/** Observes requests to endpoints for logs and metrics. Must be fast, because every call waits for the observer. */
export interface RequestObserver {
  begin(endpoint: Endpoint, call: Call): void;
  /** Called when a whole answer is ready or a streamed answer has ended. `call.record` has the outcome. */
  observe(endpoint: Endpoint, call: Call, reply: Reply): void;
}

interface Answering {
  log: Logger;
  observer: RequestObserver | null;
  /** Value of X-Service-Profile on every answer; null if none. */
  profileHeader: string | null;
  brand: PageBrand;
}

/**
 * Answers a call at an endpoint, including preflights and requests with an unsupported verb. Converts errors into
 * answers and never throws. Logs unexpected errors and answers 500 without details.
 */
export async function answer(endpoint: Endpoint, call: Call, answering: Answering): Promise<Reply> {
  const reply = await respond(endpoint, call, answering);
  reply.headers['x-request-id'] = call.requestId;
  reply.headers['cache-control'] ??= NO_STORE;
  Object.assign(reply.headers, constantHeaders(answering, endpoint));
  return reply;
}

/** Does the same as `answer`, but without adding the headers that every answer has. */
export async function respond(
  endpoint: Endpoint,
  call: Call,
  { log, observer, brand }: Pick<Answering, 'log' | 'observer' | 'brand'>,
): Promise<Reply> {
  const { record } = call;
  if (observer) {
    record.startedAt = performance.now();
    observer.begin(endpoint, call);
  }
  let reply: Reply;
  try {
    reply = await dispatch(endpoint, call);
  } catch (error) {
    const told = isApiError(error) ? error : internalError(error, endpoint, call, log);
    record.code = told.code;
    reply = errorReply(told, endpoint.errorForm, brand.name);
  }
  if (!observer) return reply;
  record.status = reply.status;
  record.answeredAt = performance.now();
  return observed(reply, record, () => {
    record.endedAt = record.pushedBytes === null ? record.answeredAt : performance.now();
    observer.observe(endpoint, call, reply);
  });
}

export function constantHeaders(
  { profileHeader }: Pick<Answering, 'profileHeader'>,
  { sameOrigin }: Pick<Endpoint, 'sameOrigin'>,
): Record<string, string> {
  return { ...(profileHeader && { 'x-service-profile': profileHeader }), ...(!sameOrigin && CORS_HEADERS) };
}

function dispatch(endpoint: Endpoint, call: Call): Reply | Promise<Reply> {
  const handler = handlerOf(endpoint, call.method);
  if (handler) return handler(call);
  const allowed = allowedMethods(endpoint);
  if (call.method === 'OPTIONS') {
    return {
      status: 204,
      headers: { allow: allowed, ...(endpoint.sameOrigin ? {} : preflightHeaders(allowed)) },
      body: null,
    };
  }
  throw apiError('METHOD_NOT_ALLOWED', {
    message: `This path supports ${allowed}, not ${call.method.slice(0, 20)}.`,
    headers: { allow: allowed },
  });
}

function handlerOf(endpoint: Endpoint, method: string): Handler | undefined {
  if (endpoint.ANY && method !== 'OPTIONS') return endpoint.ANY;
  switch (method) {
    case 'POST':
      return endpoint.POST;
    case 'GET':
    case 'HEAD':
      return endpoint.GET;
    case 'PATCH':
      return endpoint.PATCH;
    case 'DELETE':
      return endpoint.DELETE;
    default:
      return undefined;
  }
}

function allowedMethods(endpoint: Endpoint): string {
  return [
    ...(endpoint.GET ? ['GET', 'HEAD'] : []),
    ...(endpoint.POST ? ['POST'] : []),
    ...(endpoint.PATCH ? ['PATCH'] : []),
    ...(endpoint.DELETE ? ['DELETE'] : []),
    'OPTIONS',
  ].join(', ');
}

function internalError(error: unknown, { path }: Endpoint, call: Call, log: Logger): ReturnType<typeof apiError> {
  // The received path is not logged, because it may contain wallets and queue ids.
  log.error({ err: error, requestId: call.requestId, endpoint: path }, 'request failed with an unexpected error');
  return apiError('INTERNAL');
}

/** Calls `over` when the reply ends: immediately for a whole body, or at the end of a streamed body. */
export function observed(reply: Reply, record: RequestRecord, over: () => void): Reply {
  const { body } = reply;
  if (isPushBody(body)) reply.body = new ObservedBody(body, record, over);
  else over();
  return reply;
}

class ObservedBody implements PushBody {
  #isOver = false;

  constructor(
    private readonly body: PushBody,
    private readonly record: RequestRecord,
    private readonly over: () => void,
  ) {
    record.pushedBytes = 0;
  }

  get bytes(): number | undefined {
    return this.body.bytes;
  }

  start(sink: BodySink): void {
    this.body.start(new CountingSink(sink, this.record));
  }

  resume(): void {
    this.body.resume();
  }

  cancel(): void {
    if (!this.#isOver && !this.body.isComplete) this.record.isCut = true;
    this.#end();
    this.body.cancel();
  }

  sent(): void {
    this.#end();
    this.body.sent?.();
  }

  #end(): void {
    if (!this.#isOver) this.over();
    this.#isOver = true;
  }
}

class CountingSink implements BodySink {
  constructor(
    private readonly sink: BodySink,
    private readonly record: RequestRecord,
  ) {}

  write(bytes: Uint8Array): boolean {
    this.record.pushedBytes = (this.record.pushedBytes ?? 0) + bytes.byteLength;
    return this.sink.write(bytes);
  }

  end(): void {
    this.sink.end();
  }

  fail(): void {
    this.sink.fail();
  }

  drop(): void {
    this.sink.drop();
  }
}
