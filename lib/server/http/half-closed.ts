import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/**
 * Detects disconnected clients. A client may close its side of the connection after its request and still wait for the
 * answer (RFC 9112, 9.6). A disconnected client looks the same until it answers a write with a reset. So the gateway
 * sends the start of the status line, which is the same for all answers, early and byte by byte. A waiting client does
 * not notice. A client that closes its side during an answer counts as disconnected, unless the close arrived together
 * with the request.
 */

const ANSWER_START = 'HTTP/1.1 ';
/**
 * Delays before each byte sent early. A write fails only after the client's reset has arrived, so the delays
 * grow to allow for distant clients.
 */
const DELAYS_MS = [0, 3, 20, 100, 600, 4_000, 20_000] as const;

export class WriteAhead {
  written = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param write writes one byte; it is not called after `stop` */
  constructor(private readonly write: (byte: string) => void) {
    this.#plan();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(): void {
    const delayMs = DELAYS_MS[this.written];
    if (delayMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.write(ANSWER_START.charAt(this.written));
      this.written += 1;
      this.#plan();
    }, delayMs);
  }
}

/**
 * Detects whether the client may have closed its side together with the last bytes it sent. In that case, the event
 * loop reads the close in the turn after those bytes, so this class counts turns.
 */
export class SameArrival {
  readonly #turn = loopTurn();

  get isOver(): boolean {
    return loopTurn() > this.#turn + 1;
  }
}

function loopTurn(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  arrival: SameArrival;
}

const connections = new WeakMap<Socket, HalfOpenConnection>();

/** Answers a client that closed its side after its request, and detects whether the client has disconnected. */
export function answerHalfClosed(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Keeps node:http from closing the connection when the client closes its side.
  const { server } = socket as Socket & { server?: Server & { httpAllowHalfOpen?: boolean } };
  if (server) server.httpAllowHalfOpen = true;
  let connection = connections.get(socket);
  if (!connection) connections.set(socket, (connection = new HalfOpenConnection(socket)));
  connection.follow(request, response);
}

class HalfOpenConnection {
  readonly #open = new Map<ServerResponse, Exchange>();
  #stop = (): void => undefined;
  #hasEnded = false;

  constructor(private readonly socket: Socket) {
    socket.once('end', () => {
      this.#hasEnded = true;
      this.#look();
    });
  }

  follow(request: IncomingMessage, response: ServerResponse): void {
    if (this.#open.has(response)) return;
    this.#open.set(response, { request, response, arrival: new SameArrival() });
    response.once('close', () => {
      this.#open.delete(response);
      this.#stop();
      if (this.#hasEnded) this.#look();
    });
  }

  #look(): void {
    const { socket } = this;
    for (const { request, response, arrival } of this.#open.values()) {
      if (response.socket !== socket || response.writableEnded) continue;
      if (!response.headersSent) {
        if (request.httpVersion === '1.1') this.#stop = writeAhead(socket);
      } else if (arrival.isOver) socket.end();
    }
  }
}

/**
 * Sends the start of the answer early, byte by byte, until node:http writes the answer. Then leaves the sent bytes out
 * of the answer.
 * @returns a function that stops sending
 */
function writeAhead(socket: Socket): () => void {
  const write = socket.write.bind(socket) as (...rest: unknown[]) => boolean;
  const ahead = new WriteAhead((byte) => void write(byte));
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    ahead.stop();
    Reflect.deleteProperty(socket, 'write');
    return write(typeof chunk === 'string' ? chunk.slice(ahead.written) : chunk.subarray(ahead.written), ...rest);
  }) as Socket['write'];
  return () => ahead.stop();
}
