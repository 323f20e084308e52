import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client may end its side of a connection after its request, and wait for the answer (RFC 9112, 9.6). The end of a
 * client that has gone looks the same until something is written to it, which its machine then answers with a reset. So
 * what any answer would have at this place is written ahead of time, byte by byte: the beginning of its status line, or
 * leading zeros of the next chunk's length (RFC 9112, 7.1). A client that still reads sees nothing of that.
 */

/** What every answer begins with. */
export const ANSWER_START = 'HTTP/1.1 ';
/** Zeros before the length of one chunk: some parsers take 16 digits at most. */
export const LEADING_ZEROS_MAX = 4;
/** Between the bytes. A reset is heard with the first write after it came: the delays cover near and distant clients. */
const DELAYS_MS = [10, 30, 150, 800, 4_000, 20_000] as const;

/** Writes ahead at growing intervals. */
export class WriteAhead {
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly writeOne: () => void) {
    this.#plan(0);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #plan(index: number): void {
    const delayMs = DELAYS_MS[index];
    if (delayMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.writeOne();
      this.#plan(index + 1);
    }, delayMs);
  }
}

/** Answers whose chunks are framed by us, so that node:http does not know that there are any. */
const framedHere = new WeakSet<ServerResponse>();
const followed = new WeakSet<Socket>();

/** Says that an answer goes out in chunks, which node:http is not told. */
export function noteChunks(response: ServerResponse): void {
  framedHere.add(response);
}

/** Has a client that ends its side of the connection answered, and one that has gone noticed. */
export function answerHalfClosed(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Else node:http ends the connection with the client's side. It is read when that end comes.
  const { server } = socket as Socket & { server?: Server & { httpAllowHalfOpen?: boolean } };
  if (server) server.httpAllowHalfOpen = true;
  if (request.httpVersion !== '1.1' || request.method === 'HEAD' || followed.has(socket)) return;
  followed.add(socket);
  const bytesBefore = socket.bytesWritten;
  let ahead: WriteAhead | null = null;
  const onEnd = (): void => {
    ahead = new WriteAhead(aheadOf(response, socket, bytesBefore));
  };
  socket.once('end', onEnd);
  response.once('close', () => {
    followed.delete(socket);
    socket.off('end', onEnd);
    ahead?.stop();
  });
}

/** Writes the next byte that the answer has in any case, if there is one. */
function aheadOf(response: ServerResponse, socket: Socket, bytesBefore: number): () => void {
  let [begun, zeros, zerosAt] = [0, 0, 0];
  return () => {
    // Another answer of the connection has its turn, or this one is at its end.
    if (response.socket !== socket || response.writableEnded || !socket.writable) return;
    const written = socket.bytesWritten - bytesBefore;
    if (written === begun && !response.headersSent) {
      if (begun === 0) cutBeginning(socket, () => begun);
      begun += 1;
      Reflect.apply(Object.getPrototypeOf(socket).write as Socket['write'], socket, [ANSWER_START[begun - 1]]);
    } else if (written > begun && (response.chunkedEncoding || framedHere.has(response))) {
      if (socket.bytesWritten !== zerosAt) zeros = 0;
      if (zeros === LEADING_ZEROS_MAX) return;
      zeros += 1;
      socket.write('0');
      zerosAt = socket.bytesWritten;
    }
  };
}

/** Leaves out of what node:http writes first what was written ahead. */
function cutBeginning(socket: Socket, written: () => number): void {
  const write = socket.write.bind(socket) as (...rest: unknown[]) => boolean;
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    Reflect.deleteProperty(socket, 'write');
    return write(typeof chunk === 'string' ? chunk.slice(written()) : chunk.subarray(written()), ...rest);
  }) as Socket['write'];
}
