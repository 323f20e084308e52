import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiError, type ApiError, requestError } from '@/lib/protocol/errors';
import { boundAnswer, CLIENT_PATIENCE } from './answer-bounds';
import type { Drain } from './drain-server';
import { constantHeaders } from './endpoint';
import { errorReply } from './error-reply';
import { NO_PAGE_POLICY, SECURITY_HEADERS } from './page-headers';
import { preparePageRequest } from './page-request';
import { newRequestId } from './request-id';
import { hostFault, isForPages, splitTarget, takeOriginForm } from './request-target';

/** Maximum headers. No client sends that many, even behind proxies. node:http silently drops headers beyond 2,000. */
const HEADERS_MAX = 200;

interface FrontDoorOptions {
  profileHeader: string | null;
  drain: Drain | null;
  /** True for Next's development server, which uses additional headers, methods and paths. */
  isDevelopment: boolean;
  /** Milliseconds after which a reader is disconnected if it does not accept the waiting bytes. Default: one minute. */
  slowReaderMs?: number;
}

/**
 * Decides whether the API or the console's pages answer a request. Rewrites the request's target to origin form. For
 * pages, removes headers that Next would obey as commands.
 * @returns null if the request was already answered or disconnected
 */
export function admit(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontDoorOptions,
): 'api' | 'page' | null {
  const { slowReaderMs: stallMs = CLIENT_PATIENCE.stallMs } = options;
  if (!boundAnswer(request, response, { ...CLIENT_PATIENCE, stallMs })) return null;
  options.drain?.follow(response);
  takeOriginForm(request);
  const fault = faultOf(request);
  if (fault) return refused(fault, request, response, options);
  if (request.url?.startsWith('/api/') || !isForPages(request.url ?? '', options.isDevelopment)) return 'api';
  response.setHeader('x-request-id', newRequestId());
  if (options.profileHeader) response.setHeader('x-service-profile', options.profileHeader);
  if (options.isDevelopment) return 'page';
  const pageFault = preparePageRequest(request);
  if (pageFault) return refused(pageFault, request, response, options);
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  response.setHeader('content-security-policy', NO_PAGE_POLICY);
  return 'page';
}

function faultOf(request: IncomingMessage): ApiError | null {
  if (request.rawHeaders.length > 2 * HEADERS_MAX)
    return apiError('HEADERS_TOO_LARGE', { message: `The request has more than ${HEADERS_MAX} headers.` });
  if (request.url?.includes('#'))
    return requestError('INVALID_PATH', 'The request target has a fragment (#…), which clients must not send.');
  const fault = hostFault(request);
  return fault === null ? null : requestError('MALFORMED_REQUEST', fault);
}

function refused(
  error: ApiError,
  { method, url }: IncomingMessage,
  response: ServerResponse,
  { profileHeader }: FrontDoorOptions,
): null {
  const { status, headers, body } = errorReply(error);
  const text = String(body);
  const path = splitTarget(url ?? '/').path;
  const all = { ...headers, ...constantHeaders({ profileHeader }, { sameOrigin: !path.startsWith('/api/') }) };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  response.setHeader('x-request-id', newRequestId());
  response.setHeader('content-length', Buffer.byteLength(text));
  // Closes the connection, because the bytes after an invalid head may be misread as another request.
  if (status === 400 || status === 431) response.setHeader('connection', 'close');
  response.writeHead(status).end(method === 'HEAD' ? undefined : text);
  return null;
}
