import { subscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError } from '@/lib/protocol/errors';
import { boundRequests } from './answer-bounds';
import { type EntryFacts, withEntryFacts } from './entry-facts';
import { admit } from './destination';
import { opensWebSocket, serveWithoutUpgrade } from './ignored-upgrade';
import { refuse } from './malformed-request';
import { splitTarget } from './request-target';
import { startedApi } from './served-api';

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A path of the API without a `route.ts`: the fallback there answers for the path that really came. */
const FALLBACK_PATH = '/api/unrouted';
const ROUTABLE_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What Next takes for orders, or for the state of a page, on its way to a route handler: it would redirect, or answer from a cache. */
const ORDERS =
  /^(?:rsc|cookie|purpose|next-.*|x-(?:next|middleware|invoke|invocation|matched|now|vercel|prerender|action|turnpike)\b.*|x-nextjs-.*|x-forwarded-(?:host|proto|port))$/;
/** Paths that Next's router reads as ours does: it redirects, tidies up, decodes or fails on others. */
const ROUTABLE_PATH = /^\/api(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/;

/**
 * Stands before Next's own server: `next start` would answer odd paths and verbs by itself, some with a 500, decode a
 * path before it looks for its route, and take orders in headers. Uses Node's channels for connections and requests,
 * where a server is seen before it serves its first one.
 * @returns the servers that were seen until now, also later on.
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
  // A server may have its first connection before it is known to this process.
  subscribe('http.server.request.start', (message) => stand((message as { server: unknown }).server));
  return known;
}

/** Puts the entry before everybody who listens to a server now. */
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
 * Next ends each connection that is offered another protocol: here it hears of WebSockets alone, and in production,
 * where it has none, of nothing. It would ask whatever host a target names, were it a whole URL.
 */
export function leaveOnlyWebSockets(server: Server, isDevelopment: boolean): void {
  const theirs = server.listeners('upgrade') as UpgradeListener[];
  if (theirs.length === 0) return;
  server.removeAllListeners('upgrade').on('upgrade', (request, socket, head) => {
    if (!opensWebSocket(request)) return serveWithoutUpgrade(server, request, socket, head);
    socket.on('error', () => socket.destroy());
    if (!isDevelopment || !request.url?.startsWith('/'))
      return refuse(apiError('NOT_FOUND', { message: 'No WebSocket opens at this path.' }), socket);
    for (const listener of theirs) listener.call(server, request, socket, head);
  });
}

/**
 * Lets an API request reach our route handlers: one whose path or verb Next would not understand as we do goes to the
 * fallback, and no header gives Next an order. Answers are compressed by our own rules, and never a second time.
 * @returns what came, which the handlers go by.
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
  // The query is ours to read: Next would look into it for orders too.
  request.url = isRoutable && ROUTABLE_PATH.test(path) ? path : FALLBACK_PATH;
  return {
    ...{ peer: request.socket.remoteAddress ?? '', path, query, method, acceptEncoding },
    encodedAs: (coding) => void response.setHeader('content-encoding', coding),
    disconnect: () => request.socket.destroy(),
  };
}
