import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerHalfClosed } from './half-closed';
import { refuseMalformedRequest } from './malformed-request';

interface ClientPatience {
  headMs: number;
  requestMs: number;
  /** Milliseconds after which a client is disconnected if it does not accept waiting bytes of its answer. */
  stallMs: number;
  /**
   * Idle time before a connection closes. It is longer than that of common load balancers, so that the load balancer
   * closes first.
   */
  keepAliveMs: number;
  /** Time to read the rest of an unwanted body before the connection closes, so that the client can read the answer. */
  lingerMs: number;
}

export const CLIENT_PATIENCE: ClientPatience = {
  headMs: 20_000,
  requestMs: 60_000,
  stallMs: 60_000,
  keepAliveMs: 75_000,
  lingerMs: 10_000,
};

const USUAL_KEEP_ALIVE_MS = 5_000;

/** Maximum pipelined requests that wait on one connection. */
export const PIPELINED_MAX = 100;

const waiting = new WeakMap<Duplex, Set<ServerResponse>>();

/** Limits the time in which a request must arrive, and answers invalid requests. */
export function boundRequests(
  server: Server,
  { headMs, requestMs, keepAliveMs }: ClientPatience = CLIENT_PATIENCE,
): void {
  server.headersTimeout = headMs;
  server.requestTimeout = requestMs;
  if (server.keepAliveTimeout === USUAL_KEEP_ALIVE_MS) server.keepAliveTimeout = keepAliveMs;
  // The gateway checks the Host header itself, because node:http's answer would have no request id.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('clientError', refuseMalformedRequest);
  // The gateway ignores unknown values of Expect, as RFC 9110 (section 10.1.1) allows.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}

/**
 * Limits the resources of a request that has arrived. Disconnects a client that stops accepting its answer, that keeps
 * sending an unwanted body, or that pipelines too many requests.
 * @returns whether to serve the request
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
  // Called after `stallMs` without socket activity. A stream may be silent, but a client must accept waiting bytes.
  response.setTimeout(stallMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
  return true;
}

/**
 * Calls `next` when a connection has no pending answers. After an upgrade, node:http ignores the socket. Until `next`,
 * this function therefore resumes answers when the socket drains, and destroys a socket that fails or stalls.
 */
export function afterAnswers(socket: Duplex, next: () => void): void {
  const answers = waiting.get(socket);
  if (!answers || answers.size === 0) return next();
  const resume = (): void => {
    for (const response of answers) if (response.writableNeedDrain) response.emit('drain');
  };
  const fail = (): void => void socket.destroy();
  const stall = (): void => {
    if (socket.writableLength > 0) socket.destroy();
  };
  socket.on('drain', resume).on('error', fail).on('timeout', stall);
  const onClose = (): void => {
    if (answers.size > 0) return;
    socket.off('drain', resume).off('timeout', stall);
    if (socket.destroyed) return;
    socket.off('error', fail);
    next();
  };
  for (const response of answers) response.once('close', onClose);
}

/** Creates a connection's set of pending answers. Closes them itself, because node:http closes only the first. */
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
