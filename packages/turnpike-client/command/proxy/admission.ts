import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What lets a request in, or why it is not. */
export type Admission = { path: string } | { status: 401 | 403; message: string };

/**
 * Decides who may spend through a proxy on loopback: whoever holds its token, as a Bearer, as `x-api-key`, or as the
 * first part of the path, for programs that take an address and nothing else.
 *
 * A page in a browser reaches loopback too. Whatever name it was resolved by stands in Host, so that a name which was
 * rebound to this address is refused; and a page without the token is 403, whatever it asks.
 */
export function admit(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  { token, port }: { token: string; port: number },
): Admission {
  const { host, origin, authorization, 'x-api-key': apiKey, 'sec-fetch-site': site } = request.headers;
  if (!isLoopback(host, port))
    return {
      status: 403,
      message: `This proxy answers to loopback addresses only, and was asked as ${JSON.stringify(host ?? '')}.`,
    };
  const path = request.url ?? '/';
  const first = /^\/([^/?]+)(?=[/?]|$)/.exec(path)?.[1] ?? '';
  const given = [/^Bearer +(.+)$/i.exec(authorization ?? '')?.[1], typeof apiKey === 'string' ? apiKey : undefined];
  if (isSame(first, token)) return { path: path.slice(first.length + 1) || '/' };
  if (given.some((each) => each !== undefined && isSame(each.trim(), token))) return { path };
  const isPage = origin !== undefined || (site !== undefined && site !== 'none');
  return isPage
    ? { status: 403, message: 'A page asked this proxy without its token.' }
    : {
        status: 401,
        message:
          'The token of this proxy is missing or wrong. It was printed when the proxy was started: give it as the API key.',
      };
}

function isLoopback(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host?.toLowerCase() === `${name}:${port}` || (port === 80 && host?.toLowerCase() === name),
  );
}

/** In a time that tells nothing of the token. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
}
