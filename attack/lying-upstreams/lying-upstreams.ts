import { type AddressInfo, createServer, type Socket } from 'node:net';
import { altered, honest, onTheWire } from './told-bytes';
import type { UpstreamKind, UpstreamLie } from './upstream-lie';

/**
 * Matches the number of the lie that a call requests. The gateway forwards this text to the upstream as part of the
 * request.
 */
const NUMBERED = /face([0-9a-f]{12})/;
const PIECE_MS = 2;
const PIECES_MAX = 50;
/** Time after which an endless answer is cut. The gateway should disconnect earlier. */
const ENDLESS_MS = 2_500;

/** Returns the text that requests the lie with this number. */
export function numbered(index: number): string {
  return `face${index.toString(16).padStart(12, '0')}`;
}

/** Simulates nodes, model and speech servers, and enclaves on one loopback port. Answers with the requested lies. */
export class LyingUpstreams {
  lies: readonly UpstreamLie[] = [];
  /** Number of requests answered with a lie. */
  told = 0;
  url = '';
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
    let request = '';
    socket.on('data', (bytes: Buffer) => {
      request += bytes.toString('latin1');
      const end = request.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(request)?.[1] ?? 0);
      if (request.length < end + 4 + length) return;
      const whole = request;
      request = '';
      this.#answer(socket, whole);
    });
  }

  #answer(socket: Socket, request: string): void {
    const path = request.split(' ', 2)[1] ?? '/';
    if (path.endsWith('/models'))
      return sendJson(socket, {
        object: 'list',
        data: [
          {
            id: path.startsWith('/enclave') ? 'liar-tee' : 'liar',
            object: 'model',
            created: 1,
            owned_by: 'liar',
            context_length: 4_096,
          },
        ],
      });
    const kind = kindOf(path, request);
    const { type, body } = honest(kind, /"id":([^,}]+)/.exec(request)?.[1] ?? 'null');
    const index = NUMBERED.exec(request)?.[1];
    const lie = index === undefined ? undefined : this.lies[Number.parseInt(index, 16)];
    if (!lie) return deliver(socket, HONEST, onTheWire(HONEST, type, body).head, body);
    this.told++;
    const { head, framed } = onTheWire(lie, type, altered(body, lie.alteration));
    deliver(socket, lie, head, framed);
  }
}

const HONEST: UpstreamLie = {
  alteration: { kind: 'none' },
  status: 200,
  length: 'true',
  chunkBytes: 1,
  interim: 0,
  extensionBytes: 0,
  headers: [],
  trailers: 0,
  delivery: 'at once',
};

function kindOf(path: string, request: string): UpstreamKind {
  if (path.startsWith('/node')) return 'node';
  if (path.includes('/audio/')) return 'speech';
  if (path.includes('/attestation/')) return 'attestation';
  return /"stream":\s*true/.test(request) ? 'stream' : 'chat';
}

function sendJson(socket: Socket, value: unknown): void {
  const body = JSON.stringify(value);
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

/** Sends an answer. Closes the connection unless the framing marks the answer's end. */
function deliver(socket: Socket, { delivery, length }: UpstreamLie, head: Buffer, framed: Buffer): void {
  if (delivery === 'silent') return endLater(socket);
  socket.write(head);
  switch (delivery) {
    case 'cut':
      return void socket.end(framed.subarray(0, Math.floor(framed.length / 2)));
    case 'reset':
      socket.write(framed.subarray(0, Math.floor(framed.length / 2)));
      return void socket.resetAndDestroy();
    case 'in pieces':
      return sendPieces(socket, framed);
    case 'goes on':
      socket.write(framed);
      return goOn(socket);
    default:
      socket.write(framed);
      if (length === 'too long' || length === 'chunked without end') endLater(socket);
      else if (length !== 'true' && length !== 'chunked') socket.end();
  }
}

function endLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), ENDLESS_MS);
  socket.once('close', () => clearTimeout(timer));
}

function sendPieces(socket: Socket, framed: Buffer): void {
  const bytes = Math.max(1, Math.ceil(framed.length / PIECES_MAX));
  let at = 0;
  const timer = setInterval(() => {
    if (at >= framed.length) clearInterval(timer);
    else socket.write(framed.subarray(at, (at += bytes)));
  }, PIECE_MS);
  socket.once('close', () => clearInterval(timer));
}

function goOn(socket: Socket): void {
  const more = Buffer.alloc(65_536, 'a\r\n\r\n');
  const untilMs = performance.now() + ENDLESS_MS;
  const send = (): void => {
    while (!socket.destroyed && socket.write(more)) if (performance.now() > untilMs) return void socket.destroy();
    if (!socket.destroyed) socket.once('drain', send);
  };
  send();
}
