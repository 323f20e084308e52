import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError } from '@/lib/protocol/errors';
import { boundRequests } from './answer-bounds';
import { type EntryFacts, withEntryFacts } from './entry-facts';
import { admit } from './destination';
import { opensWebSocket, serveWithoutUpgrade } from './upgrades';
import { refuse } from './malformed-request';
import { splitTarget } from './request-target';
import { startedApi } from './served-api';

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Path without a `route.ts`. Requests sent to it reach the fallback handler, which answers for their original path. */
const FALLBACK_PATH = '/api/unrouted';
const ROUTABLE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Matches headers that Next treats as commands or as page state, even for route handlers. */
const ORDERS =
  /^(?:rsc|cookie|purpose|next-.*|x-(?:next|middleware|invoke|invocation|matched|now|vercel|prerender|action|turnpike)\b.*|x-nextjs-.*|x-forwarded-(?:host|proto|port))$/;
/** Matches paths that Next's router leaves unchanged. It redirects, decodes or rejects other paths. */
const ROUTABLE_PATH = /^\/api(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/**
 * Intercepts requests before Next's server, which would answer invalid paths and verbs itself, decode paths before
 * routing, and obey commands in headers. Finds servers through Node's diagnostics channels, which report a server
 * before its first request.
 * @returns the servers found so far, a set that grows
 */
export function openNextEntry(isDevelopment = process.env.NODE_ENV === 'development'): ReadonlySet<Server> {
  const known = new Set<Server>();
  const stand = (server: unknown): void => {
    if (!(server instanceof Server) || known.has(server)) return;
    known.add(server);
    standBefore(server, isDevelopment);
  };
  subscribe('net.server.socket', (message) =>
    stand((message as { socket: Socket & { server?: unknown } }).socket.server),
  );
  // A connection may be older than the subscription above. The event of its first request then names the server.
  subscribe('http.server.request.start', (message) => stand((message as { server: unknown }).server));
  return known;
}

/** Installs the entry before a server's existing listeners. */
export function standBefore(server: Server, isDevelopment: boolean): void {
  boundRequests(server);
  leaveOnlyWebSockets(server, isDevelopment);
  const theirs = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request, response) => {
    const api = startedApi();
    const destination = admit(request, response, {
      profileHeader: api?.profileHeader ?? null,
      drain: api?.drain ?? null,
      isDevelopment,
      ...(api && { slowReaderMs: api.memory.limits.slowReaderMs }),
    });
    if (destination === null) return;
    const serve = (): void => {
      for (const listener of theirs) listener.call(server, request, response);
    };
    if (destination === 'page') serve();
    else withEntryFacts(prepareForNext(request, response), serve);
  });
}

/**
 * In development, passes only WebSocket upgrades to Next. In production, passes no upgrades. Next would close
 * connections that offer another protocol, and would forward a request to any host that the request line contains.
 */
export function leaveOnlyWebSockets(server: Server, isDevelopment: boolean): void {
  const theirs = server.listeners('upgrade') as UpgradeListener[];
  if (theirs.length === 0) return;
  server.removeAllListeners('upgrade').on('upgrade', (request, socket, head) => {
    if (!opensWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    if (!isDevelopment || !request.url?.startsWith('/'))
      return refuse(apiError('NOT_FOUND', { message: 'This path does not accept WebSocket connections.' }), socket);
    for (const listener of theirs) listener.call(server, request, socket, head);
  });
}

/**
 * Prepares an API request for the route handlers. Sends the request to the fallback if Next would change or reject its
 * path or verb. Removes headers that Next treats as commands. Removes Accept-Encoding, so that Next does not compress
 * the answer again.
 * @returns the request's values as received
 */
export function prepareForNext(request: IncomingMessage, response: Pick<ServerResponse, 'setHeader'>): EntryFacts {
  const target = request.url ?? '/';
  const { method = 'GET' } = request;
  const { path, query } = splitTarget(target);
  const isRoutable = ROUTABLE_METHODS.has(method);
  if (!isRoutable) request.method = 'PUT';
  for (const name of Object.keys(request.headers)) if (ORDERS.test(name)) Reflect.deleteProperty(request.headers, name);
  const acceptEncoding = request.headers['accept-encoding'] ?? null;
  Reflect.deleteProperty(request.headers, 'accept-encoding');
  // Hides the query, because Next treats some query parameters as commands.
  request.url = isRoutable && ROUTABLE_PATH.test(path) ? path : FALLBACK_PATH;
  return {
    ...{ peer: request.socket.remoteAddress ?? '', path, query, method, acceptEncoding },
    encodedAs: (coding) => void response.setHeader('content-encoding', coding),
    disconnect: () => request.socket.destroy(),
  };
}
