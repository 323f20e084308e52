import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerHalfClosed } from './half-closed';
import { refuseMalformedRequest } from './malformed-request';

/** How long a client may take for each thing, in ms. */
export interface ClientPatience {
  /** For a request's head to arrive. */
  headMs: number;
  /** For a request's head and body to arrive. */
  requestMs: number;
  /** For a client to take anything at all of what waits for it. */
  stallMs: number;
  /** Between requests: longer than the idle time of common load balancers, so that they close a connection first. */
  keepAliveMs: number;
  /** For the rest of a body that nobody reads, after the answer: long enough for a client to read that answer first. */
  lingerMs: number;
}

export const CLIENT_PATIENCE: ClientPatience = {
  headMs: 20_000,
  requestMs: 60_000,
  stallMs: 60_000,
  keepAliveMs: 75_000,
  lingerMs: 10_000,
};

/** Of node:http, where nobody has set another. */
const USUAL_KEEP_ALIVE_MS = 5_000;

/** Requests of one connection that may wait for their answers at a time. */
export const PIPELINED_MAX = 100;

/** Answers of each connection that have not been given yet. */
const waiting = new WeakMap<Duplex, Set<ServerResponse>>();

/** Bounds the time that requests may take to arrive at a server, whoever made it, and answers what is no request. */
export function boundRequests(
  server: Server,
  { headMs, requestMs, keepAliveMs }: ClientPatience = CLIENT_PATIENCE,
): void {
  server.headersTimeout = headMs;
  server.requestTimeout = requestMs;
  if (server.keepAliveTimeout === USUAL_KEEP_ALIVE_MS) server.keepAliveTimeout = keepAliveMs;
  // Refused in our words, with a request id: node:http would say nothing.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('clientError', refuseMalformedRequest);
  // An expectation that nobody knows is ignored, as it may be (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}

/**
 * Bounds what one request may hold after it has come: a client that takes nothing of its answer for too
 * long, that goes on sending a body which nobody reads, or that sends request after request before any is answered, is
 * disconnected.
 * @returns whether the request is to be served.
 */
export function boundAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { stallMs, lingerMs }: ClientPatience = CLIENT_PATIENCE,
): boolean {
  const { socket } = request;
  answerHalfClosed(request, response);
  const answers = waiting.get(socket) ?? answersOf(socket);
  if (answers.size >= PIPELINED_MAX) {
    socket.destroy();
    return false;
  }
  answers.add(response);
  response.once('close', () => {
    answers.delete(response);
    if (response.writableFinished && !request.complete) endSoon(request, socket, lingerMs);
  });
  // Heard when nothing was read or written for so long: a stream may be silent, a client may not.
  response.setTimeout(stallMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  return true;
}

/** node:http tells the end of a connection to the answer whose turn it is. To the others it is told here: they wait for nobody. */
function answersOf(socket: Duplex): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  waiting.set(socket, answers);
  socket.once('close', () => {
    for (const response of answers) {
      if (response.socket || response.destroyed) continue;
      response.destroy();
      response.emit('close');
    }
  });
  return answers;
}

function endSoon(request: IncomingMessage, socket: Duplex, lingerMs: number): void {
  const overdue = setTimeout(() => socket.destroy(), lingerMs);
  request.once('end', () => clearTimeout(overdue)).once('close', () => clearTimeout(overdue));
}
