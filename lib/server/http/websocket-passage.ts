import type { IncomingMessage, Server } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError } from '@/lib/protocol/errors';
import { opensWebSocket, serveWithoutUpgrade } from './ignored-upgrade';
import { refuse } from './malformed-request';

const PATH = /^\/api\/sandbox\/rpc\/(?<slug>[a-z0-9-]+)$/;
const CONNECT_TIMEOUT_MS = 5_000;
/** What a handshake needs (RFC 6455, 4.2.1); credentials and cookies are none of the stand-ins' business. */
const HANDSHAKE_HEADERS = [
  'upgrade',
  'connection',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
];

/**
 * Passes the WebSockets of Solana stand-ins through the gateway's port: an upgrade on
 * `/api/sandbox/rpc/{network}` goes to the stand-ins' process, every other one is refused with 404.
 * Without stand-ins nothing is passed. Offers of another protocol than WebSocket are ignored.
 * @param standInUrl where the subscriptions of a network are, null where it has no Solana stand-in
 */
export function passWebSockets(server: Server, standInUrl: (slug: string) => string | null): void {
  server.on('upgrade', (request, socket, head) => {
    if (!opensWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
    const slug = PATH.exec(request.url?.split('?', 1)[0] ?? '')?.groups?.['slug'];
    const target = slug === undefined ? null : standInUrl(slug);
    socket.on('error', () => socket.destroy());
    if (target === null) {
      refuse(apiError('NOT_FOUND', { message: 'No WebSocket opens at this path.' }), socket);
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
