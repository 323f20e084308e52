import type { Logger } from 'pino';
import { apiError, isApiError } from '@/lib/protocol/errors';
import type { ErrorForm } from '@/lib/protocol/translation/error-forms';
import type { Operation } from './operation';
import type { Call, Reply } from './call';
import { CORS_HEADERS, preflightHeaders } from './cors';
import { errorReply } from './error-reply';
import { observed } from './observed-reply';

/**
 * Of every answer that says nothing else. What was paid for, or is one caller's, must not be handed to the next by a
 * cache in between: one that knows nothing of SIGN-IN-WITH-X takes such an answer for public (RFC 9111, section 5.2.2.5).
 */
export const NO_STORE = 'no-store';

export type Handler = (call: Call) => Reply | Promise<Reply>;

/** A path of the API, and what it is described as. */
export interface Route {
  /** With parameters in braces: `/api/v1/crypto/rpc/{network}`. */
  path: string;
  /** What the API description says of each verb; verbs without are left out of it. */
  docs?: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Operation>>;
  /** In which errors are told; the gateway's own unless given. */
  errorForm?: ErrorForm;
  /** Whether it is found under untidy paths too: `below-api` with doubled slashes, `at-origin` also without `/api` in front. */
  untidy?: 'below-api' | 'at-origin';
  /** Only pages of our own origin may read the answers: no CORS headers. */
  sameOrigin?: boolean;
}

/** One path of the API: a handler for each verb it answers. */
export interface Endpoint extends Route {
  GET?: Handler;
  POST?: Handler;
  PATCH?: Handler;
  DELETE?: Handler;
  /** Answers whatever verb comes: paths that lead nowhere. */
  ANY?: Handler;
}

/** Hears of each request, when it comes and how it came out. It is on the way of every call, and must be quick. */
export interface RequestObserver {
  /** A request has come, of which nothing is known yet. */
  begin(endpoint: Endpoint, call: Call): void;
  /** Its answer is over: made, where it is whole, and else handed over or given up. The call's record says what became of it. */
  observe(endpoint: Endpoint, call: Call, reply: Reply): void;
}

/** What an answer takes beside its endpoint. */
export interface Answering {
  log: Logger;
  /** Hears how each request came out; nobody where null. */
  observer: RequestObserver | null;
  /** Value of X-Service-Profile on every answer; null for none. */
  profileHeader: string | null;
}

/**
 * Answers a call at an endpoint: preflights, wrong verbs, the handler's reply, or the error it threw. Never
 * throws; whatever is no ApiError is logged and becomes a 500 that says nothing of the inside.
 */
export async function answer(endpoint: Endpoint, call: Call, answering: Answering): Promise<Reply> {
  const reply = await respond(endpoint, call, answering);
  reply.headers['x-request-id'] = call.requestId;
  reply.headers['cache-control'] ??= NO_STORE;
  Object.assign(reply.headers, constantHeaders(answering, endpoint));
  return reply;
}

/** The same without the headers that every answer has. */
export async function respond(
  endpoint: Endpoint,
  call: Call,
  { log, observer }: Pick<Answering, 'log' | 'observer'>,
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
    reply = errorReply(told, endpoint.errorForm);
  }
  if (!observer) return reply;
  record.status = reply.status;
  record.answeredAt = performance.now();
  return observed(reply, record, () => {
    record.endedAt = record.pushedBytes === null ? record.answeredAt : performance.now();
    observer.observe(endpoint, call, reply);
  });
}

/** The headers that every answer of an endpoint has, whatever is asked of it. */
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
    message: `This path answers ${allowed}, not ${call.method.slice(0, 20)}.`,
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
  // Not the path as it came: wallets and queue ids stand in some.
  log.error({ err: error, requestId: call.requestId, endpoint: path }, 'the gateway failed to answer');
  return apiError('INTERNAL');
}
