import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { opensWebSocket, serveWithoutUpgrade } from './ignored-upgrade';
import { takeOriginForm } from './request-target';

/**
 * What Next's own server keeps from its route handlers, carried in headers of this process: whatever a client sends
 * under these names is taken off first.
 */
export const NEXT_DOOR_HEADERS = {
  /** Address of the peer: Next passes on only what X-Forwarded-For says, which is the client's word. */
  peer: 'x-turnpike-peer',
  /** The path as it came, where Next would redirect it or fail on it. */
  path: 'x-turnpike-path',
  /** The verb as it came, where it is none that a route handler can have. */
  method: 'x-turnpike-method',
} as const;

/** A path of the API without a `route.ts`: the fallback there answers for the path that really came. */
const FALLBACK_PATH = '/api/unrouted';
const ROUTABLE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Next fails on `*`, redirects repeated, reversed and trailing slashes, resolves dots, and fails on escapes that are no UTF-8. */
const KEPT_BY_NEXT = /^\*$|\/\/|\\|%|\/\.|\/$|[^\x21-\x7e]/;

/**
 * Lets API requests reach our route handlers as they came, under Next's own server: `next start` answers odd paths
 * and verbs by itself otherwise, some with a 500. Uses Node's channel for requests, before Next sees them.
 */
export function openNextDoor(): void {
  subscribe('http.server.request.start', (message) => prepareForNext((message as { request: IncomingMessage }).request));
  const known = new WeakSet<object>();
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { socket: Socket & { server?: unknown } }).socket;
    if (!(server instanceof Server) || known.has(server)) return;
    known.add(server);
    leaveOnlyWebSockets(server);
  });
}

/** Next ends each connection that is offered another protocol: here it hears of WebSockets alone. */
export function leaveOnlyWebSockets(server: Server): void {
  const theirs = server.listeners('upgrade') as ((request: IncomingMessage, socket: Duplex, head: Buffer) => void)[];
  if (theirs.length === 0) return;
  server.removeAllListeners('upgrade').on('upgrade', (request, socket, head) => {
    if (!opensWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
    for (const listener of theirs) listener.call(server, request, socket, head);
  });
}

/** Rewrites one request in place. Requests for pages are left alone. */
export function prepareForNext(request: IncomingMessage): void {
  takeOriginForm(request);
  const url = request.url ?? '/';
  if (url !== '*' && !/^[/\\]+api(?:[/\\?]|$)/.test(url)) return;
  const { headers } = request;
  for (const name of Object.values(NEXT_DOOR_HEADERS)) delete headers[name];
  headers[NEXT_DOOR_HEADERS.peer] = request.socket.remoteAddress ?? '';
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const method = request.method ?? 'GET';
  const routable = ROUTABLE_METHODS.has(method);
  if (!routable) {
    headers[NEXT_DOOR_HEADERS.method] = method;
    request.method = 'PUT';
  }
  if (routable && !KEPT_BY_NEXT.test(path)) return;
  headers[NEXT_DOOR_HEADERS.path] = encodeURIComponent(path);
  request.url = FALLBACK_PATH + (queryAt < 0 ? '' : url.slice(queryAt));
}
