import { apiError, type ApiError, requestError } from '@/lib/protocol/errors';
import type { IncomingMessage } from 'node:http';
import { isForPages } from './request-target';

/** Maximum depth of a router state. Next's router sends shallower states. */
const DEPTH_MAX = 24;
const MEMBERS_MAX = 64;
const PARAMETER_KINDS = /^(?:c|oc|d|(?:c|d)i\(\.{1,3}\)|(?:c|d)i\(\.\.\)\(\.\.\))$/;
const MARKERS = ['refetch', 'inside-shared-layout', 'metadata-only'];

/**
 * Returns whether a text is a valid `Next-Router-State-Tree`: percent-encoded JSON in the format of Next's
 * `parseAndValidateFlightRouterState`, at most `DEPTH_MAX` levels deep. Next answers 500 for an invalid tree.
 */
export function isRouterState(text: string): boolean {
  try {
    return isTree(JSON.parse(decodeURIComponent(text)), DEPTH_MAX);
  } catch {
    return false;
  }
}

/** The format is `[segment, children, [url, search]?, marker?, hints?, …]`. */
function isTree(value: unknown, depth: number): boolean {
  if (depth === 0 || !Array.isArray(value) || value.length < 2 || value.length > 6) return false;
  const [segment, children, url, marker, hints, name] = value as unknown[];
  return (
    isSegment(segment) &&
    areChildren(children, depth) &&
    (url === undefined || url === null || isPair(url)) &&
    (marker === undefined || marker === null || MARKERS.includes(marker as string)) &&
    (hints === undefined || hints === null || Number.isFinite(hints)) &&
    (name === undefined || typeof name === 'string')
  );
}

function areChildren(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const children = Object.values(value);
  return children.length <= MEMBERS_MAX && children.every((child) => isTree(child, depth - 1));
}

/** A segment is either a name, or `[parameter, value, kind, sibling names]`. */
function isSegment(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [parameter, key, kind, siblings] = value as unknown[];
  const known =
    siblings === null || (Array.isArray(siblings) && siblings.every((sibling) => typeof sibling === 'string'));
  return (
    typeof parameter === 'string' &&
    typeof key === 'string' &&
    typeof kind === 'string' &&
    PARAMETER_KINDS.test(kind) &&
    known
  );
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

/** Pages need no other methods, because they have no forms and no server actions. */
const METHODS = ['GET', 'HEAD'];

/**
 * Request headers that Next may see. Browsers send them to load a page. Excludes cookies, and headers that Next treats
 * as commands.
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

/**
 * Headers that Next's router sends from the browser. Each has a test for its format, because Next answers 500 for some
 * invalid values.
 */
const OF_ROUTER: Readonly<Record<string, (value: string) => boolean>> = {
  rsc: (value) => value === '1',
  'next-router-prefetch': (value) => /^[1-3]$/.test(value),
  'next-router-segment-prefetch': (value) => /^(?:\/[\w$!@%().~-]+)+$/.test(value),
  'next-router-state-tree': isRouterState,
  'next-url': (value) => isForPages(value) && !value.includes('?'),
};

/**
 * Removes the headers that pages do not need.
 * @returns an error for an unsupported method or an invalid router header; null if the request may pass
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
