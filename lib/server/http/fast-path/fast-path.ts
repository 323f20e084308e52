import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { constantHeaders } from '../endpoint';
import type { ServedApi } from '../served-api';
import { type AnswerLines, FastPathConnection } from './fast-path-connection';

/** What the paths that are served here begin with: the proxy's and the chats', where CPU per call is what the product is measured by. */
export const FAST_PATHS = ['/api/v1/crypto/rpc/', '/api/v1/chat/'] as const;
const SWEEP_MS = 5_000;

export interface FastPathOptions {
  /** How long a connection may be idle. */
  keepAliveMs: number;
  /** How long a new one may take until its first request, before node:http has it. */
  firstRequestMs: number;
  /** How long a client may take nothing of an answer that waits for it; as the memory for answers has it unless given. */
  stallMs?: number;
}

/**
 * Serves the plainest calls of these paths straight from the socket, at a third of what node:http costs a call. Every
 * connection to the server begins here and is given to node:http, for good and with all of its bytes, as soon as
 * anything else comes on it: other paths and verbs, whatever is malformed or unusual, and requests in pieces.
 */
export class FastPath {
  readonly #connections = new Set<FastPathConnection>();
  readonly #sweep: NodeJS.Timeout;
  readonly #lines: AnswerLines;
  #closing = false;

  constructor(
    private readonly server: Server,
    private readonly api: ServedApi,
    private readonly options: FastPathOptions,
  ) {
    this.#lines = { kept: this.#constantLines(true), closing: this.#constantLines(false) };
    const serveByNode = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => this.#take(socket, serveByNode));
    this.#sweep = setInterval(() => this.#sweepAll(), Math.min(SWEEP_MS, options.keepAliveMs, this.#stallMs));
    this.#sweep.unref();
    server.once('close', () => clearInterval(this.#sweep));
  }

  /** Ends idle connections now, and the others after the answer that they wait for. */
  close(): void {
    this.#closing = true;
    for (const connection of this.#connections) connection.endAfterAnswer();
  }

  /** Ends all connections, after what was written to them: whoever waits for more is cut off. */
  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }

  #take(socket: Socket, serveByNode: readonly ((socket: Socket) => void)[]): void {
    const connection = new FastPathConnection(socket, this.api, {
      prefixes: FAST_PATHS,
      lines: this.#lines,
      onLeave: (rest) => {
        this.#connections.delete(connection);
        if (rest !== null) handOver(this.server, socket, rest, serveByNode);
      },
    });
    this.#connections.add(connection);
    if (this.#closing) connection.endAfterAnswer();
  }

  get #stallMs(): number {
    return this.options.stallMs ?? this.api.memory.limits.slowReaderMs;
  }

  #constantLines(isKept: boolean): string {
    const connection = isKept
      ? { Connection: 'keep-alive', 'Keep-Alive': `timeout=${Math.floor(this.options.keepAliveMs / 1000)}` }
      : { Connection: 'close' };
    const headers = { ...constantHeaders(this.api, {}), ...connection };
    return Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  #sweepAll(): void {
    const now = performance.now();
    for (const connection of this.#connections) {
      connection.watch(this.#stallMs);
      if (connection.isNew && now - connection.usedAt > this.options.firstRequestMs) connection.leave();
      else if (!connection.isBusy && now - connection.usedAt > this.options.keepAliveMs) connection.end();
    }
  }
}

function handOver(
  server: Server,
  socket: Socket,
  rest: Buffer,
  serveByNode: readonly ((socket: Socket) => void)[],
): void {
  // Nothing can be put back before the end of a client's side that was heard already: both are told again.
  const { readableEnded } = socket;
  socket.pause();
  if (rest.length > 0 && !readableEnded) socket.unshift(rest);
  for (const serve of serveByNode) serve.call(server, socket);
  socket.resume();
  if (!readableEnded) return;
  socket.emit('data', rest);
  socket.emit('end');
}
