import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { upstreamReads } from './upstream-reads';

/** To hand on a chunk takes undici as long as to copy so many bytes. */
const CHUNK_BYTES = 1_024;
/** What is read at a time, and handed on to its end: it may be chunks of one byte. Less, once it was. */
const READ_BYTES = 8_192;
const READ_BYTES_OF_SMALL_CHUNKS = 2_048;
const SMALL_CHUNK_BYTES = 64;
/** An event or two, as most streams bring them: to count these would take longer than to read them. */
const UNCOUNTED_BYTES = 8_192;

/**
 * Has undici read a socket by turns, and not at all while its answer is held back. undici's own way to pause is not used:
 * where a connection closes meanwhile it throws what nobody can catch, and the answer never ends (nodejs/undici#5360).
 */
export class PacedSocket {
  /** The socket that was read last: undici hands on all of a read before it reads again. */
  static #readLast: PacedSocket | null = null;

  readonly #read: (size?: number) => Buffer | null;
  #isWaiting = false;
  #isHeldBack = false;
  /** Of the last read: its bytes, and the chunks that were handed on. */
  #bytes = 0;
  #chunks = 0;
  #readBytes = READ_BYTES;
  #afterRead: (() => void) | null = null;

  constructor(private readonly socket: Socket) {
    this.#read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.read = () => this.#next();
  }

  /** The one whose bytes are being handed on. */
  static get current(): PacedSocket | null {
    return PacedSocket.#readLast;
  }

  /** Counts a chunk of its answer that is handed on. @returns whether it is the first of what was read */
  handedOn(): boolean {
    return this.#chunks++ === 0;
  }

  /** Has something done once all of what was read is handed on. */
  afterRead(act: () => void): void {
    this.#afterRead = act;
  }

  /** Nothing further is read until `goOn`. */
  holdBack(): void {
    this.#isHeldBack = true;
  }

  goOn(): void {
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    // Not at once: undici may be handing on something of another answer, which is why there is room.
    queueMicrotask(this.#readOn);
  }

  #next(): Buffer | null {
    if (this.#bytes > 0) this.#count();
    if (this.#isWaiting || this.#isHeldBack) return null;
    const { readableLength } = this.socket;
    // Without bytes it is asked all the same: so it learns that it is wanted, and that it has ended.
    const bytes = readableLength > 0 ? this.#read(Math.min(readableLength, this.#readBytes)) : this.#read();
    if (bytes === null) return null;
    this.#bytes = bytes.length;
    PacedSocket.#readLast = this;
    return bytes;
  }

  #count(): void {
    this.#afterRead?.();
    this.#afterRead = null;
    const [bytes, chunks] = [this.#bytes, this.#chunks];
    this.#readBytes = chunks * SMALL_CHUNK_BYTES > bytes ? READ_BYTES_OF_SMALL_CHUNKS : READ_BYTES;
    this.#bytes = this.#chunks = 0;
    const counted = bytes + chunks * CHUNK_BYTES;
    if (counted > UNCOUNTED_BYTES) this.#isWaiting = !upstreamReads.take(counted, this.#turnCame);
  }

  readonly #turnCame = (): void => {
    this.#isWaiting = false;
    this.#readOn();
  };

  readonly #readOn = (): void => {
    if (!this.#isWaiting && !this.#isHeldBack && !this.socket.destroyed) this.socket.emit('readable');
  };
}

/** Connects as undici does, over sockets that are paced. */
export function pacedConnect(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      new PacedSocket(socket as Socket);
      callback(null, socket as Socket);
    });
}
