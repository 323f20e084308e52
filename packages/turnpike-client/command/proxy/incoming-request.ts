import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

type Admission = { path: string } | { status: 401 | 403; message: string };

/**
 * Decides whether a client may spend through a loopback proxy. Accepts the proxy's token as a Bearer token, as
 * `x-api-key`, or as the first path segment, which suits programs that accept only a base URL. Web pages can reach
 * loopback addresses too. Therefore, the proxy refuses a Host header other than a loopback address (against DNS
 * rebinding), and web pages that do not send the token.
 */
export function admit(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  { token, port }: { token: string; port: number },
): Admission {
  const { host, origin, authorization, 'x-api-key': apiKey, 'sec-fetch-site': site } = request.headers;
  if (!isLoopback(host, port))
    return {
      status: 403,
      message: `This proxy accepts only loopback addresses as Host, but the Host is ${JSON.stringify(host ?? '')}.`,
    };
  const path = request.url ?? '/';
  const first = /^\/([^/?]+)(?=[/?]|$)/.exec(path)?.[1] ?? '';
  const given = [/^Bearer +(.+)$/i.exec(authorization ?? '')?.[1], typeof apiKey === 'string' ? apiKey : undefined];
  if (isSame(first, token)) return { path: path.slice(first.length + 1) || '/' };
  if (given.some((each) => each !== undefined && isSame(each.trim(), token))) return { path };
  const isPage = origin !== undefined || (site !== undefined && site !== 'none');
  return isPage
    ? { status: 403, message: 'A web page called this proxy without the token.' }
    : {
        status: 401,
        message: "The proxy's token is missing or wrong. The proxy printed it when it started. Send it as the API key.",
      };
}

function isLoopback(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host?.toLowerCase() === `${name}:${port}` || (port === 80 && host?.toLowerCase() === name),
  );
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
}

/** @returns null if the body is longer than `bytesMax` */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
