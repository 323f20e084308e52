import type { OnReadOpts, Socket } from 'node:net';
import { scannedInPlace } from '@/lib/protocol/json-structure/structure-scan';
import { type Carrier, ConnectionFault, type Exchange } from './exchange';
import { AnswerHead, CHUNKED, INCOMPLETE, NO_HTTP, UNTIL_CLOSE } from './answer-head';
import { ChunkedBody, MALFORMED_CHUNK } from './chunked-body';
import type { LineOwner } from '../caller-lines';
import { INTERIM_MAX, upstreamReads } from '../upstream-reads';

/** Maximum size of a head that arrives in several reads. */
const HEAD_BYTES_MAX = 16_384;
const READ_BYTES = 65_536;
/** Cost of parsing one chunk, as the number of bytes that could be copied in the same time. */
const STRETCH_BYTES = 16;
const END_OF_HEAD = '\r\n\r\n';
const LF = 0x0a;
/** How long an idle connection is kept if the server announces no timeout. */
export const IDLE_MS = 4_000;
const IDLE_MS_MAX = 600_000;
const IDLE_MARGIN_MS = 1_000;

/**
 * Read buffer that all connections share. This is possible because the bytes of each read are copied before the next
 * read. Long answers are scanned in this buffer. On Windows, a read is always pending, so each connection needs its own
 * buffer.
 */
const sharedBuffer =
  process.platform === 'win32'
    ? null
    : scannedInPlace
      ? Buffer.from(scannedInPlace.buffer, scannedInPlace.byteOffset, scannedInPlace.length)
      : Buffer.allocUnsafeSlow(READ_BYTES);

export interface ConnectionOwner {
  /** @param exchange the exchange that has ended; null if there was none */
  onFree(connection: Connection, exchange: Exchange | null): void;
  /** @param exchange the exchange that failed with the connection; null if there was none */
  onGone(connection: Connection, exchange: Exchange | null): void;
}

/**
 * HTTP/1.1 connection to an upstream. Sends one request at a time, without pipelining, and closes when it receives
 * invalid data.
 */
export class Connection implements Carrier {
  idleUntil = Infinity;
  /** Caller of the current exchange; undefined while the connection is idle. */
  caller: LineOwner | undefined;
  readonly #socket: Socket;
  readonly #head = new AnswerHead();
  #exchange: Exchange | null = null;
  #missing: number | null = null;
  #chunks: ChunkedBody | null = null;
  #started: Buffer | null = null;
  #interimCount = 0;
  #gone = false;
  #isPaused = false;
  readonly #goOn = (): void => {
    if (!this.#gone && !this.#isPaused) this.#socket.resume();
  };

  /**
   * @param connect opens a socket with the given options
   * @param requestHead start of every request, up to the value of Content-Length
   */
  constructor(
    connect: (options: { onread: OnReadOpts }) => Socket,
    private readonly requestHead: string,
    private readonly owner: ConnectionOwner,
  ) {
    const onread: OnReadOpts = {
      buffer: sharedBuffer ?? Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (count, buffer) => {
        const read = count + this.#read(buffer as Buffer, count) * STRETCH_BYTES;
        return this.#missing === null || (upstreamReads.take(read, this.#goOn) && !this.#isPaused);
      },
    };
    this.#socket = connect({ onread });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('close', () => this.#fail(new ConnectionFault('CUT_OFF')));
  }

  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    exchange.departs(this);
    const { text, traceparent } = exchange;
    const bytes = Buffer.byteLength(text);
    const end = traceparent === null ? END_OF_HEAD : `\r\ntraceparent: ${traceparent}${END_OF_HEAD}`;
    this.#socket.write(`${this.requestHead}${bytes}${end}${text}`, bytes === text.length ? 'latin1' : 'utf8');
  }

  destroy(): void {
    this.#fail(new ConnectionFault('CLOSED'));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#goOn();
  }

  #fail(error: Error): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#socket.destroy();
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.fail(error);
    this.owner.onGone(this, exchange);
  }

  #ended(): void {
    if (this.#missing === UNTIL_CLOSE) this.#finish(false);
    else this.#fail(new ConnectionFault('CUT_OFF'));
  }

  #read(bytes: Buffer, count: number): number {
    if (this.#gone) return 0;
    const before = this.#chunks?.stretches ?? 0;
    if (!this.#started) this.#readFrom(bytes, count);
    else this.#readStarted(this.#started, bytes.subarray(0, count));
    return Math.max(0, (this.#chunks?.stretches ?? 0) - before);
  }

  /** Adds bytes to an incomplete head. To save time, parses only when a line end arrives. */
  #readStarted(started: Buffer, fresh: Buffer): void {
    const whole = Buffer.concat([started, fresh]);
    this.#started = null;
    if (whole.length > HEAD_BYTES_MAX || fresh.includes(LF)) this.#readFrom(whole, whole.length);
    else this.#started = whole;
  }

  #readFrom(bytes: Buffer, end: number): void {
    let at = 0;
    while (at < end && !this.#gone) {
      if (!this.#exchange) return this.#fail(new ConnectionFault('NO_HTTP'));
      at = this.#missing === null ? this.#readHead(bytes, at, end) : this.#readBody(bytes, at, end, this.#missing);
      if (this.#missing === 0) this.#finish(this.#head.keepAlive && at === end);
    }
  }

  #readHead(bytes: Buffer, start: number, end: number): number {
    const head = this.#head;
    const at = head.read(bytes, start, end);
    if (at === NO_HTTP || (at < 0 && end - start > HEAD_BYTES_MAX) || head.status === 101) {
      this.#fail(new ConnectionFault('NO_HTTP'));
      return end;
    }
    if (at === INCOMPLETE) {
      this.#started = Buffer.from(bytes.subarray(start, end));
      return end;
    }
    // Skips interim responses (RFC 9110, section 15.2).
    if (head.status < 200) return this.#passInterim(at, end);
    this.#missing = head.length;
    if (head.length === CHUNKED) this.#chunks = new ChunkedBody();
    this.#exchange?.onHead(head.status, head.length, head.retryAfter);
    return at;
  }

  #passInterim(at: number, end: number): number {
    if (++this.#interimCount <= INTERIM_MAX) return at;
    this.#fail(new ConnectionFault('NO_HTTP'));
    return end;
  }

  #readBody(bytes: Buffer, start: number, end: number, missing: number): number {
    if (missing === CHUNKED) return this.#readChunks(bytes, start, end);
    const until = missing === UNTIL_CLOSE ? end : Math.min(end, start + missing);
    if (missing !== UNTIL_CLOSE) this.#missing = missing -= until - start;
    return this.#exchange?.onBody(bytes, start, until, missing) ? until : end;
  }

  #readChunks(bytes: Buffer, start: number, end: number): number {
    const chunks = this.#chunks as ChunkedBody;
    const at = chunks.read(
      bytes,
      start,
      end,
      (data, from, until) => this.#exchange?.onBody(data, from, until, -1) === true,
    );
    if (at === MALFORMED_CHUNK) {
      this.#fail(new ConnectionFault('NO_HTTP'));
      return end;
    }
    if (chunks.isComplete) this.#missing = 0;
    return at;
  }

  /** Completes the answer. If some bytes of the request were not sent, the connection is not reused. */
  #finish(mayBeUsedAgain: boolean): void {
    const exchange = this.#exchange as Exchange;
    this.#exchange = null;
    this.#missing = null;
    this.#chunks = null;
    this.#interimCount = 0;
    this.#isPaused = false;
    exchange.onEnd();
    const idleMs = this.#idleMs();
    if (!mayBeUsedAgain || idleMs <= 0 || this.#socket.writableLength > 0) return this.destroy();
    this.idleUntil = performance.now() + idleMs;
    this.owner.onFree(this, exchange);
  }

  #idleMs(): number {
    const { idleSeconds } = this.#head;
    return idleSeconds === null ? IDLE_MS : Math.min(IDLE_MS_MAX, idleSeconds * 1000 - IDLE_MARGIN_MS);
  }
}
