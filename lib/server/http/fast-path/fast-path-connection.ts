import type { Socket } from 'node:net';
import type { ServedApi } from '../served-api';
import { isPushBody, type PushBody, type Reply } from '../call';
import { compressedReply } from '../compression/compressed-reply';
import { respond } from '../endpoint';
import type { Match } from '../router';
import { SameArrival, WriteAhead } from '../half-closed';
import { LargeBody } from '../large-body';
import { ChunkedSink, headText } from './fast-path-answer';
import { FastPathCall } from './fast-path-call';
import { RequestHead } from './request-head';

const NOTHING = Buffer.alloc(0);

/** Milliseconds to wait for a new connection's first request while the gateway stops. */
const FIRST_REQUEST_OF_THE_LAST_MS = 1_000;

/** Header lines that every answer has: `kept` if the connection stays open, `closing` if it closes. */
export interface AnswerLines {
  kept: string;
  closing: string;
}

interface FastPathConnectionOptions {
  prefixes: readonly string[];
  lines: AnswerLines;
  /**
   * Called when the connection leaves the fast path.
   *
   * @param rest unserved bytes for node:http; null if the connection is closed
   */
  onLeave: (rest: Buffer | null) => void;
}

/** Connection of the fast path. Serves one call at a time. Bytes that arrive during a call wait. */
export class FastPathConnection {
  usedAt = performance.now();
  isNew = true;
  #call: FastPathCall | null = null;
  #body: PushBody | null = null;
  #arrival: SameArrival | null = null;
  #isHalfClosed = false;
  #ahead: WriteAhead | null = null;
  #waiting: Buffer | null = null;
  #ending = false;
  #isWatched = false;
  #waitingForFirst: NodeJS.Timeout | null = null;
  #way: { path: string; router: ServedApi['router']; match: Match } | null = null;
  readonly #largeBodies = { giveUp: (): void => void this.socket.destroy() };
  readonly #onData = (chunk: Buffer): void => this.#read(chunk);
  readonly #onDrain = (): void => this.#body?.resume();
  readonly #onEnd = (): void => this.#halfClose();
  readonly #onClose = (): void => this.#closed();
  readonly #onError = (): void => void this.socket.destroy();
  readonly #onStall = (): void => {
    this.#isWatched = false;
    if (this.socket.writableLength > 0) this.socket.destroy();
    else this.socket.setTimeout(0);
  };

  constructor(
    private readonly socket: Socket,
    private readonly api: ServedApi,
    private readonly options: FastPathConnectionOptions,
  ) {
    socket.setNoDelay(true);
    socket
      .on('data', this.#onData)
      .on('drain', this.#onDrain)
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      .on('error', this.#onError);
  }

  get isBusy(): boolean {
    return this.#isAnswering() || this.socket.writableLength > 0;
  }

  end(): void {
    this.socket.end();
  }

  /** Closes the connection after the bytes written so far, even in the middle of an answer. */
  cut(): void {
    this.#ending = true;
    this.socket.destroySoon();
  }

  /**
   * Closes the connection after the current answer. A new connection still gets one answer, because its first request
   * may be on its way.
   */
  endAfterAnswer(): void {
    this.#ending = true;
    if (this.isBusy || this.#waitingForFirst) return;
    if (!this.isNew) return this.end();
    this.#waitingForFirst = setTimeout(() => !this.isBusy && this.end(), FIRST_REQUEST_OF_THE_LAST_MS);
  }

  /**
   * Disconnects a client that has accepted none of the waiting bytes for `stallMs`. A periodic timer calls this method,
   * so that fast calls need no timeout.
   */
  watch(stallMs: number): void {
    if (this.#isWatched || this.socket.writableLength === 0) return;
    this.#isWatched = true;
    this.socket.setTimeout(stallMs, this.#onStall);
  }

  /** Passes the connection to node:http, with all unserved bytes. */
  leave(rest: Buffer = NOTHING): void {
    this.#stopWaiting();
    this.#ahead?.stop();
    if (this.#isWatched) this.socket.setTimeout(0, this.#onStall);
    this.socket
      .off('data', this.#onData)
      .off('drain', this.#onDrain)
      .off('end', this.#onEnd)
      .off('close', this.#onClose)
      .off('error', this.#onError);
    this.options.onLeave(rest);
  }

  #isAnswering(): boolean {
    return this.#call !== null || this.#body !== null;
  }

  /**
   * Handles a client that closed its side. The client either still waits for its answer or has disconnected. The next
   * write shows which (`half-closed.ts`).
   */
  #halfClose(): void {
    const hasGone = this.#body ? this.#arrival?.isOver : this.#call === null && this.#waiting === null;
    if (hasGone) return this.end();
    this.#isHalfClosed = true;
    if (this.#call) this.#ahead = new WriteAhead((byte) => void this.socket.write(byte));
  }

  #stopWaiting(): void {
    if (this.#waitingForFirst) clearTimeout(this.#waitingForFirst);
    this.#waitingForFirst = null;
  }

  #read(chunk: Buffer): void {
    // The gateway has closed its side. It could charge another request but not answer it.
    if (this.socket.writableEnded) return;
    if (this.#isAnswering() || this.socket.writableNeedDrain) return this.#wait(chunk);
    const head = RequestHead.read(chunk, this.options.prefixes);
    if (!head) return this.leave(chunk);
    if (head.bodyEnd < chunk.length) this.#waiting = chunk.subarray(head.bodyEnd);
    this.#serve(head, chunk.subarray(head.bodyStart, head.bodyEnd));
  }

  /**
   * Stops reading until the running call is served, because the client pipelines requests or does not read its answer.
   */
  #wait(chunk: Buffer): void {
    if (!this.#isAnswering() && !this.#waiting) this.socket.once('drain', () => this.#next());
    this.#waiting = this.#waiting ? Buffer.concat([this.#waiting, chunk]) : chunk;
    this.socket.pause();
  }

  #serve(head: RequestHead, body: Buffer): void {
    this.isNew = false;
    const { api } = this;
    const { endpoint, params } = this.#resolve(head.path);
    const call = new FastPathCall(head, body, params, this.socket, api.trustProxyHops);
    this.#call = call;
    void respond(endpoint, call, api).then((reply) => this.#answer(reply, call));
  }

  #resolve(path: string): Match {
    const { router } = this.api;
    if (this.#way?.path !== path || this.#way.router !== router)
      this.#way = { path, router, match: router.resolve(path) };
    return this.#way.match;
  }

  #answer(reply: Reply, call: FastPathCall): void {
    try {
      const compressed = compressedReply(reply, call, this.api.memory);
      if (!(compressed instanceof Promise)) return this.#send(compressed, call);
      compressed.then((late) => this.#send(late, call)).catch((error: unknown) => this.#unsent(error, call));
    } catch (error) {
      this.#unsent(error, call);
    }
  }

  #unsent(error: unknown, call: FastPathCall): void {
    if (!this.socket.destroyed)
      this.api.log.warn({ err: error, requestId: call.requestId }, 'sending an answer failed');
    this.socket.destroy();
  }

  #send(reply: Reply, call: FastPathCall): void {
    const { status, reason, headers } = reply;
    const body = LargeBody.of(reply, this.api.memory, this.#largeBodies) ?? reply.body;
    this.#call = null;
    call.answered = true;
    const { socket } = this;
    const { kept, closing } = this.options.lines;
    this.#ending ||= this.api.drain.isDraining;
    const isLast = this.#ending || (this.#isHalfClosed && this.#waiting === null);
    this.#ahead?.stop();
    const begun = this.#ahead?.written ?? 0;
    this.#ahead = null;
    const constant = `x-request-id: ${call.requestId}\r\n${isLast ? closing : kept}`;
    const head = (bodyBytes: number | null): string =>
      headText(status, headers, bodyBytes, constant, reason).slice(begun);
    if (body instanceof ReadableStream) throw new Error('There are no web streams on the fast path.');
    if (isPushBody(body)) return this.#push(body, () => head(body.bytes ?? null));
    if (!socket.writable) return;
    if (typeof body === 'string') {
      const length = Buffer.byteLength(body);
      socket.write(head(length) + body, length === body.length ? 'latin1' : 'utf8');
    } else {
      const parts = body === null ? [] : body instanceof Uint8Array ? [body] : body;
      socket.cork();
      socket.write(head(parts.reduce((sum, part) => sum + part.byteLength, 0)), 'latin1');
      for (const part of parts) socket.write(part);
      socket.uncork();
    }
    this.#next();
  }

  #push(body: PushBody, head: () => string): void {
    if (!this.socket.writable) return body.cancel();
    // If the connection closes, `#closed` cancels this body.
    this.#body = body;
    this.#arrival = new SameArrival();
    const onSent = (): void => {
      this.#body = null;
      body.sent?.();
      this.#next();
    };
    body.start(new ChunkedSink(this.socket, head(), onSent, body.bytes === undefined));
  }

  #next(): void {
    this.usedAt = performance.now();
    if (this.#ending) return this.end();
    const { socket } = this;
    if (this.#waiting === null) {
      if (this.#isHalfClosed) this.end();
      return;
    }
    if (socket.writableNeedDrain) {
      socket.once('drain', () => this.#next());
      return;
    }
    const chunk = this.#waiting;
    this.#waiting = null;
    // Resumes first. `#read` may pass the socket to node:http, which would never read a paused socket.
    socket.resume();
    this.#read(chunk);
  }

  #closed(): void {
    this.#stopWaiting();
    this.#ahead?.stop();
    this.#call?.gone();
    this.#call = null;
    this.#body?.cancel();
    this.#body = null;
    this.#waiting = null;
    this.options.onLeave(null);
  }
}
