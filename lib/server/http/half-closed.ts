import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/**
 * A client may end its side of a connection after its request, and wait for the answer (RFC 9112, 9.6). The end of a
 * client that has gone looks the same until something is written to it, which its machine then answers with a reset. So
 * the beginning of the status line, which is the same for every answer, is written ahead of time, byte by byte. A client
 * that still reads sees no difference. One that ends its side in the middle of an answer has gone, unless that end came
 * right behind the request.
 */

/** What every answer begins with. */
export const ANSWER_START = 'HTTP/1.1 ';
/** Before each of its first bytes. A reset is heard with the next write: the delays cover near and distant clients. */
const DELAYS_MS = [0, 3, 20, 100, 600, 4_000, 20_000] as const;

/** Writes ahead at growing intervals. */
export class WriteAhead {
  /** Bytes of `ANSWER_START` that are written. */
  written = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param write a byte; not called after `stop` */
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
 * Whether what comes now may have come together with something that came before: an end is read in the turn of the event
 * loop after the bytes that it arrived with. Turns are counted by the loop: to be called back would cost one.
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

/** A request that is not answered to its end. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  arrival: SameArrival;
}

const connections = new WeakMap<Socket, HalfOpenConnection>();

/** Has a client that ends its side of the connection after its request answered, and one that has gone noticed. */
export function answerHalfClosed(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Else node:http ends the connection with the client's side. It looks at this when that end comes.
  const { server } = socket as Socket & { server?: Server & { httpAllowHalfOpen?: boolean } };
  if (server) server.httpAllowHalfOpen = true;
  let connection = connections.get(socket);
  if (!connection) connections.set(socket, (connection = new HalfOpenConnection(socket)));
  connection.follow(request, response);
}

/** The requests of one connection of node:http. Of several at a time, one has its turn to be answered. */
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

  /** What the end of the client's side means for the answer whose turn it is. */
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

/** Writes ahead until node:http writes the answer, and leaves out of that what was written. @returns how to stop */
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
