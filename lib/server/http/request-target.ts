import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/i;

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

/** Whether the API answers for this target: its paths, and the server as a whole (`OPTIONS *`; RFC 9110, 9.3.7). */
export function isForApi(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith('/api/') || url === '*');
}

/** Whether it lacks the host that a request of HTTP/1.1 must name (RFC 9112, 3.2). */
export function lacksHost({ httpVersion, headers }: Pick<IncomingMessage, 'httpVersion' | 'headers'>): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}
