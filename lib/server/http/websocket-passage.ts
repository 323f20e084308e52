import type { IncomingMessage, Server } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError } from '@/lib/protocol/errors';
import { opensWebSocket, serveWithoutUpgrade } from './ignored-upgrade';
import { refuse } from './malformed-request';

const PATH = /^\/api\/sandbox\/rpc\/(?<slug>[a-z0-9-]+)$/;
const CONNECT_TIMEOUT_MS = 5_000;
/** Headers that a handshake needs (RFC 6455, 4.2.1). Excludes credentials and cookies. */
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
 * stand-ins' process; others get 404. Answers a request for another protocol as plain HTTP.
 * @param standInUrl returns a network's subscription URL; null without a Solana stand-in
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
