import type { OnReadOpts, Socket } from 'node:net';
import { scannedInPlace } from '@/lib/protocol/json-structure/structure-scan';
import { type Carrier, ConnectionFault, type Exchange } from './exchange';
import { AnswerHead, CHUNKED, INCOMPLETE, NO_HTTP, UNTIL_CLOSE } from './answer-head';
import { ChunkedBody, MALFORMED_CHUNK } from './chunked-body';
import { INTERIM_MAX, upstreamReads } from '../upstream-reads';

/** A head longer than this is refused, as Node's own client does. */
const HEAD_BYTES_MAX = 16_384;
const READ_BYTES = 65_536;
/** A stretch of a chunked body takes as long to read as so many bytes. */
const STRETCH_BYTES = 16;
const END_OF_HEAD = '\r\n\r\n';
const LF = 0x0a;
/** How long an idle connection is kept where the server does not say, and how much sooner than it says. */
export const IDLE_MS = 4_000;
const IDLE_MS_MAX = 600_000;
const IDLE_MARGIN_MS = 1_000;

/**
 * What is read is copied before the next read, so all connections can read into one buffer, where long answers can be
 * scanned without being copied; except on Windows, where each has its read under way all the time.
 */
const sharedBuffer =
  process.platform === 'win32'
    ? null
    : scannedInPlace
      ? Buffer.from(scannedInPlace.buffer, scannedInPlace.byteOffset, scannedInPlace.length)
      : Buffer.allocUnsafeSlow(READ_BYTES);

/** Who hears of what becomes of a connection. */
export interface ConnectionOwner {
  /** It can take the next request. */
  onFree(connection: Connection): void;
  /** It is gone, for whatever reason, and carries nothing any more. Called once. */
  onGone(connection: Connection): void;
}

/**
 * A connection to an upstream, with one request at a time on it (HTTP/1.1 without pipelining). Reads answers whose
 * length is told, chunked ones, and those that end with the connection. Whatever is out of order ends it.
 */
export class Connection implements Carrier {
  /** Until when it may be used again, of `performance.now()`. */
  idleUntil = Infinity;
  readonly #socket: Socket;
  readonly #head = new AnswerHead();
  #exchange: Exchange | null = null;
  /** Bytes of the body that are still to come, `UNTIL_CLOSE` or `CHUNKED`; null while the head is. */
  #missing: number | null = null;
  #chunks: ChunkedBody | null = null;
  /** The beginning of a head whose end is still to come. */
  #started: Buffer | null = null;
  #interimCount = 0;
  #gone = false;
  #isPaused = false;
  readonly #goOn = (): void => {
    if (!this.#gone && !this.#isPaused) this.#socket.resume();
  };

  /**
   * @param connect opens the socket, with these options among its own
   * @param requestHead of every request, up to the length of its body
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

  /** Sends a request. The connection must be open and free. */
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

  /** Ends it for this reason. */
  #fail(error: Error): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#socket.destroy();
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.fail(error);
    this.owner.onGone(this);
  }

  #ended(): void {
    if (this.#missing === UNTIL_CLOSE) this.#finish(false);
    else this.#fail(new ConnectionFault('CUT_OFF'));
  }

  /** @returns how many stretches of a chunked body were read. */
  #read(bytes: Buffer, count: number): number {
    if (this.#gone) return 0;
    const before = this.#chunks?.stretches ?? 0;
    if (!this.#started) this.#readFrom(bytes, count);
    else this.#readStarted(this.#started, bytes.subarray(0, count));
    return Math.max(0, (this.#chunks?.stretches ?? 0) - before);
  }

  /** Goes on with a head. Without the end of a line nothing has become complete: to read it again and again would take long. */
  #readStarted(started: Buffer, fresh: Buffer): void {
    const whole = Buffer.concat([started, fresh]);
    this.#started = null;
    if (whole.length > HEAD_BYTES_MAX || fresh.includes(LF)) this.#readFrom(whole, whole.length);
    else this.#started = whole;
  }

  #readFrom(bytes: Buffer, end: number): void {
    let at = 0;
    while (at < end && !this.#gone) {
      // Nobody asked for what comes now.
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
    // Interim responses (RFC 9110, section 15.2) come before the answer.
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

  /** The answer is complete. A connection whose request has not left entirely is not used again. */
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
    this.owner.onFree(this);
  }

  #idleMs(): number {
    const { idleSeconds } = this.#head;
    return idleSeconds === null ? IDLE_MS : Math.min(IDLE_MS_MAX, idleSeconds * 1000 - IDLE_MARGIN_MS);
  }
}
