import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/i;
/**
 * Matches a name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 3986, 3.2.2, but without
 * escapes and user names).
 */
const HOST = /^(?:[\w.~!$&'()*+,;=-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Rewrites a target in absolute form to origin form, and sets Host. Clients send the absolute form to proxies, but
 * every server must accept it (RFC 9112, 3.2.2).
 */
export function takeOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  if (request.url?.startsWith('/')) return;
  const { authority, rest } = ABSOLUTE_FORM.exec(request.url ?? '')?.groups ?? {};
  if (authority === undefined || rest === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority.slice(authority.lastIndexOf('@') + 1);
}

/**
 * Returns a sentence that says what is wrong with a request's Host header; null if the header is valid (RFC 9112, 3.2).
 */
export function hostFault({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): string | null {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.1' ? 'The request contains no host.' : null;
  if (!HOST.test(host)) return 'The Host of the request is not valid.';
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') seen++;
  return seen > 1 ? 'The request contains more than one host.' : null;
}

export function splitTarget(target: string): { path: string; query: string } {
  const queryAt = target.indexOf('?');
  return queryAt < 0 ? { path: target, query: '' } : { path: target.slice(0, queryAt), query: target.slice(queryAt) };
}

/**
 * Matches a path whose segments are visible ASCII (RFC 3986, 3.3, without ";"). Allows escapes only of non-ASCII bytes,
 * and of brackets, which occur in the names of Next's files.
 */
const PAGE_PATH = /^(?:\/(?:[\w.~!$&'()*+,=:@-]|%(?:[89A-F][\dA-F]|5[BD]))+)*\/?$/i;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const API_PATH = /^\/api(?:\/|$)/i;
/**
 * Matches files of the development server, which names files after modules and escapes special characters, such as the
 * @ of a scope.
 */
const DEVELOPMENT_FILE = /^\/_next\/static(?:\/(?:[\w~.-]|%(?:40|5b|5d|28|29|2b))+)+$/i;

/** Matches paths where clients and health checks often look for an API. These paths are never pages. */
const API_HABIT =
  /^\/(?:(?:v1|models)(?:\/.*)?|mcp|(?:chat\/)?completions|embeddings|(?:responses|messages|api_keys)(?:\/[^/]+)?|characters(?:\/[^/]+){0,2}|(?:audio|images?|video|billing|receipts|rpc|crypto\/rpc)\/[^/]+|(?:tee|x402)\/[^/]+(?:\/[^/]+)?|livez|readyz|openapi\.json|llms\.txt|\.well-known\/(?:x402|api-catalog|jwks\.json))\/?$/i;

/**
 * Path prefix of the only files of Next that a browser loads in production. Next's other paths (page data, images,
 * error pages) duplicate a page or route handler.
 */
const STATIC_FILES = '/_next/static/';

/**
 * Returns whether a target leads to a page or file of the console. Accepts only one spelling of each path, and no
 * target that a decoder could read as a different path. Refuses dot segments; escaped dots, slashes or letters;
 * repeated slashes; backslashes; path parameters; fragments; invalid UTF-8; and the API's path in another case. The
 * API's router answers refused targets, usually with 404.
 * @param target the target as received, in origin form
 * @param isDevelopment true to include the additional paths of Next's development server
 */
export function isForPages(target: string, isDevelopment = false): boolean {
  const { path } = splitTarget(target);
  if (isDevelopment && DEVELOPMENT_FILE.test(path) && !DOT_SEGMENT.test(path)) return true;
  if (
    !path.startsWith('/') ||
    !PAGE_PATH.test(path) ||
    DOT_SEGMENT.test(path) ||
    API_PATH.test(path) ||
    API_HABIT.test(path)
  )
    return false;
  if (path.startsWith('/_') && !path.startsWith(STATIC_FILES) && !isDevelopment) return false;
  return !path.includes('%') || isUtf8(path);
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
