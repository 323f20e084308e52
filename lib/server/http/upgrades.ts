import { apiError } from '@/lib/protocol/errors';
import type { IncomingMessage, Server } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAnswers } from './answer-bounds';
import { refuse } from './malformed-request';

/** Headers with which a client offers to change the protocol (RFC 9110, 7.8; RFC 7540, 3.2). */
const OFFER_FIELDS = ['upgrade', 'http2-settings'];

/** Returns whether a request opens a WebSocket (RFC 6455, 4.1), the only supported upgrade. */
export function opensWebSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && tokensOf(headers.upgrade ?? '').some((protocol) => protocol.toLowerCase() === 'websocket');
}

/**
 * Serves a request and ignores the upgrade that it offers. RFC 9110 (7.8) allows this. Java's HttpClient and `curl
 * --http2` offer h2c first and continue in HTTP/1.1, but node:http would close their connection. The gateway therefore
 * passes the connection to node:http again, without the offer. Waits for pending answers first, because two parsers
 * would mix up answers.
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

const PATH = /^\/api\/sandbox\/rpc\/(?<slug>[a-z0-9-]+)$/;
const CONNECT_TIMEOUT_MS = 5_000;
/** Headers that a handshake needs (RFC 6455, 4.2.1). Credentials and cookies are not included. */
const HANDSHAKE_HEADERS = [
  'upgrade',
  'connection',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
];

/**
 * Passes WebSockets of Solana stand-ins through the gateway's port. Upgrades on `/api/sandbox/rpc/{network}` go to the
 * process that runs the stand-ins. WebSockets on other paths get 404. Offers of other protocols are ignored.
 * @param standInUrl returns a network's subscription URL; null if the network has no Solana stand-in
 */
export function passWebSockets(server: Server, standInUrl: (slug: string) => string | null): void {
  server.on('upgrade', (request, socket, head) => {
    if (!opensWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
    const slug = PATH.exec(request.url?.split('?', 1)[0] ?? '')?.groups?.['slug'];
    const target = slug === undefined ? null : standInUrl(slug);
    socket.on('error', () => socket.destroy());
    if (target === null) {
      refuse(apiError('NOT_FOUND', { message: 'This path does not accept WebSocket connections.' }), socket);
    } else {
      pass(request, socket, head, new URL(target));
    }
  });
}

function pass(request: IncomingMessage, socket: Duplex, head: Buffer, target: URL): void {
  const upstream = net.connect(Number(target.port), target.hostname);
  upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.destroy());
  upstream.once('connect', () => {
    upstream.setTimeout(0);
    const headers = HANDSHAKE_HEADERS.flatMap((name) =>
      request.headers[name] === undefined ? [] : [`${name}: ${String(request.headers[name])}`],
    );
    upstream.write([`GET ${target.pathname} HTTP/1.1`, `host: ${target.host}`, ...headers, '', ''].join('\r\n'));
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.once('error', () => socket.destroy());
  upstream.once('close', () => socket.destroy());
  socket.once('close', () => upstream.destroy());
}
