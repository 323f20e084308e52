import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAnswers } from './answer-bounds';

/** Fields that offer another protocol (RFC 9110, 7.8; RFC 7540, 3.2). */
const OFFER_FIELDS = ['upgrade', 'http2-settings'];

/** Returns whether a request opens a WebSocket (RFC 6455, 4.1), the only supported upgrade. */
export function opensWebSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && tokensOf(headers.upgrade ?? '').some((protocol) => protocol.toLowerCase() === 'websocket');
}

/**
 * Serves a request and ignores its offered upgrade, as a server may (RFC 9110, 7.8). Java's HttpClient and `curl
 * --http2` offer h2c first and continue in HTTP/1.1, but node:http would close their connection. So this function
 * passes the connection to node:http again, without the offer. Waits for pending answers, which two parsers of one
 * connection would mix up.
 * @param head bytes after the request's head, from the event `upgrade`
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.pause();
  afterAnswers(socket, () => {
    socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(request), 'latin1'), head]));
    server.emit('connection', socket);
    socket.resume();
  });
}

function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string];
    const lower = name.toLowerCase();
    if (OFFER_FIELDS.includes(lower)) continue;
    if (lower !== 'connection') lines.push(`${name}: ${value}`);
    else {
      const options = tokensOf(value).filter((option) => !OFFER_FIELDS.includes(option.toLowerCase()));
      if (options.length > 0) lines.push(`${name}: ${options.join(', ')}`);
    }
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function tokensOf(value: string): string[] {
  return value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}
