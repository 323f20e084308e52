import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Fields of an offer to change the protocol (RFC 9110, 7.8; RFC 7540, 3.2). */
const OFFER_FIELDS = ['upgrade', 'http2-settings'];

/** Whether a request opens a WebSocket (RFC 6455, 4.1): what else a connection is offered to become is not taken up here. */
export function opensWebSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && tokensOf(headers.upgrade ?? '').some((protocol) => protocol.toLowerCase() === 'websocket');
}

/**
 * Serves a request as if its offer to change the protocol had not been made, as a server may (RFC 9110, 7.8). Java's
 * HttpClient and `curl --http2` offer h2c with their first request in plain HTTP, and go on in HTTP/1.1 where it is not
 * taken. node:http lets go of a connection at such an offer: here it begins anew, with the same bytes less the offer.
 * @param head what came after the request's head, as the event `upgrade` says it.
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.pause();
  socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(request), 'latin1'), head]));
  server.emit('connection', socket);
  socket.resume();
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
