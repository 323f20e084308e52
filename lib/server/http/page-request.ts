import type { IncomingMessage } from 'node:http';
import { apiError, type ApiError, requestError } from '@/lib/protocol/errors';
import { isForPages } from './request-target';
import { isRouterState } from './router-state';

/** Verbs of pages: there are no forms and no server actions. */
const METHODS = ['GET', 'HEAD'];

/**
 * What Next may see of a request for a page. It takes orders in headers of its own, which are many and change with its
 * versions: which path is meant, which verb, which answer of its cache. So it is shown what a browser sends to load a
 * page, and no cookie, since pages depend on none.
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

/** What Next's router in the browser sends, and how each of it must look: Next answers 500 for some of what does not. */
const OF_ROUTER: Readonly<Record<string, (value: string) => boolean>> = {
  rsc: (value) => value === '1',
  'next-router-prefetch': (value) => /^[1-3]$/.test(value),
  'next-router-segment-prefetch': (value) => /^(?:\/[\w$!@%().~-]+)+$/.test(value),
  'next-router-state-tree': isRouterState,
  'next-url': (value) => isForPages(value) && !value.includes('?'),
};

/**
 * Makes a request ready for Next's pages: takes off every header that they have no use for.
 * @returns the error that it is refused with: another verb than GET and HEAD, or an unreadable header of Next's router;
 *   null where it may pass.
 */
export function preparePageRequest(request: Pick<IncomingMessage, 'method' | 'headers'>): ApiError | null {
  const { method = 'GET', headers } = request;
  if (!METHODS.includes(method)) {
    const allowed = METHODS.join(', ');
    return apiError('METHOD_NOT_ALLOWED', {
      message: `This path answers ${allowed}, not ${method.slice(0, 20)}.`,
      headers: { allow: allowed },
    });
  }
  for (const name of Object.keys(headers)) {
    const isValid = Object.hasOwn(OF_ROUTER, name) ? OF_ROUTER[name] : undefined;
    if (isValid && !isValid(String(headers[name])))
      return requestError('MALFORMED_REQUEST', `The header ${name} cannot be read.`);
    if (!isValid && !SHOWN.has(name)) Reflect.deleteProperty(headers, name);
  }
  return null;
}
