import type { IncomingMessage } from 'node:http';
import { apiError, type ApiError, requestError } from '@/lib/protocol/errors';
import { isForPages } from './request-target';
import { isRouterState } from './router-state';

/** Pages need no other methods, because they have no forms and no server actions. */
const METHODS = ['GET', 'HEAD'];

/**
 * Request headers that Next may see: those with which browsers load a page, except cookies. Next takes commands from
 * other headers, which change with its versions.
 */
const SHOWN = new Set([
  ...[
    'host',
    'connection',
    'accept',
    'accept-encoding',
    'accept-language',
    'user-agent',
    'referer',
    'cache-control',
    'pragma',
  ],
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
]);

/** Headers of Next's browser router, each with its valid format. Next answers 500 for some invalid values. */
const OF_ROUTER: Readonly<Record<string, (value: string) => boolean>> = {
  rsc: (value) => value === '1',
  'next-router-prefetch': (value) => /^[1-3]$/.test(value),
  'next-router-segment-prefetch': (value) => /^(?:\/[\w$!@%().~-]+)+$/.test(value),
  'next-router-state-tree': isRouterState,
  'next-url': (value) => isForPages(value) && !value.includes('?'),
};

/**
 * Removes headers that pages do not need.
 * @returns the error for a verb other than GET and HEAD, or for an invalid router header; null if the request may pass
 */
export function preparePageRequest(request: Pick<IncomingMessage, 'method' | 'headers'>): ApiError | null {
  const { method = 'GET', headers } = request;
  if (!METHODS.includes(method)) {
    const allowed = METHODS.join(', ');
    return apiError('METHOD_NOT_ALLOWED', {
      message: `This path supports ${allowed}, not ${method.slice(0, 20)}.`,
      headers: { allow: allowed },
    });
  }
  for (const name of Object.keys(headers)) {
    const isValid = Object.hasOwn(OF_ROUTER, name) ? OF_ROUTER[name] : undefined;
    if (isValid && !isValid(String(headers[name])))
      return requestError('MALFORMED_REQUEST', `The gateway could not parse the header ${name}.`);
    if (!isValid && !SHOWN.has(name)) Reflect.deleteProperty(headers, name);
  }
  return null;
}
