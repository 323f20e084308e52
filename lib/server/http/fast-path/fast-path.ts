import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { constantHeaders } from '../endpoint';
import type { ServedApi } from '../served-api';
import { type AnswerLines, FastPathConnection } from './fast-path-connection';

/** Path prefixes of the calls for which CPU time matters most. */
export const FAST_PATHS = ['/api/v1/crypto/rpc/', '/api/v1/chat/'] as const;
const SWEEP_MS = 5_000;

interface FastPathOptions {
  keepAliveMs: number;
  /** Time after which a new connection without a request passes to node:http. */
  firstRequestMs: number;
  /** Time until a slow reader is disconnected. Default: `slowReaderMs` of `HeldMemory`. */
  stallMs?: number;
}

/**
 * Serves the simplest calls of `FAST_PATHS` straight from the socket, at a third of node:http's cost. Every connection
 * starts here. A request that has another path or verb or a malformed head, or arrives in several reads, moves its
 * connection to node:http permanently.
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

  close(): void {
    this.#closing = true;
    for (const connection of this.#connections) connection.endAfterAnswer();
  }

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
  // Bytes cannot be put back after the socket's end has been read. In that case, emits `data` and `end` again.
  const { readableEnded } = socket;
  socket.pause();
  if (rest.length > 0 && !readableEnded) socket.unshift(rest);
  for (const serve of serveByNode) serve.call(server, socket);
  socket.resume();
  if (!readableEnded) return;
  socket.emit('data', rest);
  socket.emit('end');
}
