import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/i;
/** A name, an IPv4 address, or an IPv6 address in brackets, and a port (RFC 3986, 3.2.2, without escapes and user names). */
const HOST = /^(?:[\w.~!$&'()*+,;=-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Rewrites a request whose target is a whole URL, as proxies are sent it, into one for the path at the host which that
 * URL names; servers must accept both (RFC 9112, 3.2.2). Every other request is left alone.
 */
export function takeOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  if (request.url?.startsWith('/')) return;
  const { authority, rest } = ABSOLUTE_FORM.exec(request.url ?? '')?.groups ?? {};
  if (authority === undefined || rest === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority.slice(authority.lastIndexOf('@') + 1);
}

/** What is wrong with the host that a request names, in a sentence; null where nothing is (RFC 9112, 3.2). */
export function hostFault({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): string | null {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.1' ? 'The request names no host.' : null;
  if (!HOST.test(host)) return 'The Host of the request is not valid.';
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') seen++;
  return seen > 1 ? 'The request names more than one host.' : null;
}

/** A target in two parts, the query with its question mark. */
export function splitTarget(target: string): { path: string; query: string } {
  const queryAt = target.indexOf('?');
  return queryAt < 0 ? { path: target, query: '' } : { path: target.slice(0, queryAt), query: target.slice(queryAt) };
}

/** Segments of visible ASCII (RFC 3986, 3.3, without ";"), and of it no escape but that of a bracket, which files of Next have in their names; bytes beyond it are escaped. */
const PAGE_PATH = /^(?:\/(?:[\w.~!$&'()*+,=:@-]|%(?:[89A-F][\dA-F]|5[BD]))+)*\/?$/i;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const API_PATH = /^\/api(?:\/|$)/i;
/** The development server names a file after the modules in it, and encodes what is special in them, such as the @ of a scope. */
const DEVELOPMENT_FILE = /^\/_next\/static(?:\/(?:[\w~.-]|%(?:40|5b|5d|28|29|2b))+)+$/i;

/** Where clients of such services look for an API by habit, where programs look for a description of it, and where supervisors ask how it is: no page is there. */
const API_HABIT =
  /^\/(?:(?:v1|models)(?:\/.*)?|mcp|(?:chat\/)?completions|responses|messages(?:\/[^/]+)?|embeddings|(?:audio|images|video|tee|billing|rpc|crypto\/rpc)\/[^/]+|api_keys(?:\/[^/]+)?|x402\/[^/]+(?:\/[^/]+)?|livez|readyz|openapi\.json|llms\.txt|\.well-known\/(?:x402|api-catalog))\/?$/i;

/** What a browser loads of Next's own paths in production. Others (data of pages, images, error pages) are another way to a page or to a route handler. */
const STATIC_FILES = '/_next/static/';

/**
 * Whether a target leads to a page or a file of the console. There is one spelling of each path: whatever a decoder
 * further on would read as another path (dot segments, escaped dots, slashes and letters, repeated and reversed
 * slashes, parameters of segments, fragments, bytes that are no UTF-8) is no page's, and neither is the API in another
 * case. All of that is the API's to answer, whose router knows one spelling too: it leads nowhere, and nothing is
 * decoded twice.
 * @param target of the request, as it came, in origin form
 * @param isDevelopment Next's development server has further paths of its own.
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
