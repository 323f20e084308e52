import { isUtf8 } from 'node:buffer';
import { PARSE_BYTES_MAX } from '@/lib/protocol/jsonrpc/answer';
import { type JsonStructure, StructureScan } from '@/lib/protocol/json-structure/structure-scan';
import { BodyParts } from '../../http/body-parts';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../../http/held-memory/held-memory';
import type { Arrival } from '../../http/held-memory/arrival';
import { freeMemory } from '../../http/held-memory/holdings';
import type { Asker } from '../nodes/asker';
import { deadlines, type Timed } from './deadlines';
import { retryAfterMs, isUpstreamFailure, UpstreamFailure } from '../nodes/upstream-failure';

/** An error page is read so far that its connection can be used again. */
const ERROR_BODY_BYTES_MAX = 65_536;
/** The body of another status than 200 is kept up to this size, since it may be a JSON-RPC error. */
const ERROR_KEPT_BYTES_MAX = 16_384;
const ERROR_BODY_MS_MAX = 1_000;
/** Memory for a long answer that does not say how long it is is claimed in such steps. */
const CLAIM_BYTES = 1024 * 1024;

/** What carries an exchange, once its request has left. */
export interface Carrier {
  /** Ends the connection: what it carries is of no use any more. */
  destroy(): void;
  /** Reads no more until `resume`: whoever sends waits, once what the kernel keeps is full. */
  pause(): void;
  resume(): void;
}

/** The body of an answer. */
export interface AnswerBody {
  bytes: Buffer;
  /** Of one that is long, where it was found while it arrived. */
  structure: JsonStructure | null;
}

/**
 * One request and its answer: resolves with the whole body of an answer of status 200 within the time and size, else
 * rejects with an UpstreamFailure, once.
 */
export class Exchange implements Timed {
  deadline: number;
  slot = -1;
  #carrier: Carrier | null = null;
  #settled = false;
  /** What a status other than 200 comes to, while its body arrives. */
  #statusFailure: StatusFailure | null = null;
  /** Of an answer whose length is known the whole, of any other its parts, all of them copies. */
  #body: Buffer | null = null;
  #parts: BodyParts | null = null;
  #length = 0;
  #scan: StructureScan | null = null;
  /** Of a long answer, the memory that it takes. */
  #arrival: Arrival | null = null;
  /** Whether there was no memory for it at a time: what it is late by then is no fault of the upstream's. */
  #hasWaited = false;
  readonly #stopListening: (() => void) | undefined;

  constructor(
    readonly text: string,
    private readonly timeoutMs: number,
    private readonly answerBytesMax: number,
    private readonly asker: Asker | undefined,
    private readonly resolve: (body: AnswerBody) => void,
    private readonly reject: (failure: UpstreamFailure) => void,
    /** Bounds what long answers take together; null for no bound. */
    private readonly memory: HeldMemory | null = null,
    /** What is said of the trace; nothing unless given. */
    readonly traceparent: string | null = null,
  ) {
    this.deadline = performance.now() + timeoutMs;
    deadlines.add(this);
    this.#stopListening = asker?.whenGone(() =>
      this.#callOff(new UpstreamFailure('aborted', 'the client closed the connection')),
    );
  }

  /** Whether it has its outcome already, as one has that waited for a connection for too long. */
  get isSettled(): boolean {
    return this.#settled;
  }

  /**
   * Whether its request should still leave, now that there is a connection for it. One whose time was over while it
   * waited fails here: on a busy machine the timer that would say so may be late.
   */
  isDue(): boolean {
    if (!this.#settled && performance.now() >= this.deadline) this.onDeadline();
    return !this.#settled;
  }

  /** Its request is about to leave. */
  departs(carrier: Carrier): void {
    this.#carrier = carrier;
    this.asker?.onSent();
  }

  onDeadline(): void {
    if (this.#settled) this.#carrier?.destroy();
    else if (this.#statusFailure) this.#callOff(this.#statusFailure(null));
    else if (this.#hasWaited)
      this.#callOff(
        new UpstreamFailure('overloaded', `there was no memory for its answer within ${this.timeoutMs} ms`),
      );
    else this.#callOff(new UpstreamFailure('timeout', `no complete answer within ${this.timeoutMs} ms`));
  }

  /** The head of the answer is there. @param length of the body; negative where that is not known. */
  onHead(status: number, length: number, retryAfter: string | undefined): void {
    if (status !== 200) {
      this.#statusFailure = (body) => statusFailure(status, retryAfter, body);
      this.deadline = Math.min(this.deadline, performance.now() + ERROR_BODY_MS_MAX);
      if (length > ERROR_KEPT_BYTES_MAX) this.#drain(this.#statusFailure);
    } else if (length > this.answerBytesMax) {
      this.#callOff(this.#tooLarge());
    } else if (length > COUNTED_BYTES_MIN) {
      this.#claim(length);
    }
  }

  /**
   * Some of the body is there, to be copied.
   * @param missing bytes that follow these; negative where that is not known.
   * @returns whether more is wanted; the connection is gone otherwise.
   */
  onBody(bytes: Buffer, start: number, end: number, missing: number): boolean {
    const from = this.#length;
    this.#length += end - start;
    if (this.#settled) {
      if (this.#length <= ERROR_BODY_BYTES_MAX) return true;
      this.#carrier?.destroy();
      return false;
    }
    if (this.#statusFailure) {
      if (this.#length > ERROR_KEPT_BYTES_MAX) this.#drain(this.#statusFailure);
      else (this.#parts ??= new BodyParts()).copy(bytes, start, end);
      return true;
    }
    if (this.#length > this.answerBytesMax) {
      this.#callOff(this.#tooLarge());
      return false;
    }
    this.#scanOn(bytes, start, end, missing);
    if (missing < 0) {
      (this.#parts ??= new BodyParts()).copy(bytes, start, end);
      if (this.#length > COUNTED_BYTES_MIN && this.#length > this.#claimedBytes)
        this.#claim(Math.min(CLAIM_BYTES, this.answerBytesMax));
    } else if (this.#arrival?.isWaiting) {
      (this.#parts ??= new BodyParts()).copy(bytes, start, end);
    } else {
      bytes.copy((this.#body ??= this.#allocate(from, this.#length + missing)), from, start, end);
    }
    return true;
  }

  /** Fails; the rest of the error page flows away, so that its connection is kept. */
  #drain(failure: StatusFailure): void {
    this.fail(failure(null));
    this.deadline = performance.now() + ERROR_BODY_MS_MAX;
    deadlines.add(this);
  }

  get #claimedBytes(): number {
    return this.#arrival ? this.#arrival.claimedBytes + this.#arrival.wantedBytes : 0;
  }

  /** Takes memory for so much more, or waits for it. */
  #claim(bytes: number): void {
    if (!this.memory) return;
    this.#arrival ??= this.memory.arrive(() => this.#carrier?.resume());
    if (this.#arrival.claim(bytes)) return;
    this.#hasWaited = true;
    this.#carrier?.pause();
  }

  /** Memory for the whole of an answer, with what came of it while it waited. Its own, so that it can be given back. */
  #allocate(received: number, length: number): Buffer {
    const body = length > COUNTED_BYTES_MIN ? Buffer.allocUnsafeSlow(length) : Buffer.allocUnsafe(length);
    if (received > 0) this.#parts?.moveInto(body);
    this.#parts = null;
    return body;
  }

  /** Scans a long answer while its bytes are at hand, so that little is left to do when it is complete. */
  #scanOn(bytes: Buffer, start: number, end: number, missing: number): void {
    if (!this.#scan) {
      if (this.#length + Math.max(0, missing) <= PARSE_BYTES_MAX) return;
      this.#scan = StructureScan.start();
      for (const part of this.#parts ?? []) this.#scan?.feed(part, 0, part.byteLength);
    }
    this.#scan?.feed(bytes, start, end);
  }

  /** The answer is complete. */
  onEnd(): void {
    deadlines.remove(this);
    if (this.#settled) return;
    if (this.#statusFailure) return this.fail(this.#statusFailure(this.#parts?.whole() ?? null));
    this.#settle();
    const bytes = this.#body ?? this.#joined();
    this.#arrival?.complete(bytes);
    // JSON is UTF-8 (RFC 8259); the check costs 0.05 ms a megabyte, a decoder sixty times that.
    if (isUtf8(bytes)) this.resolve({ bytes, structure: this.#scan?.end() ?? null });
    else {
      this.memory?.release(bytes);
      this.reject(new UpstreamFailure('not-json', 'its answer is not valid UTF-8'));
    }
  }

  #joined(): Buffer {
    if (this.#length <= COUNTED_BYTES_MIN) return this.#parts?.whole() ?? Buffer.alloc(0);
    return this.#allocate(this.#length, this.#length);
  }

  /** There will be no complete answer. */
  fail(reason: Error): void {
    deadlines.remove(this);
    if (this.#settled) return;
    this.#settle();
    // The status is known, also where the connection broke before the end of the error page.
    const error = this.#statusFailure && !isUpstreamFailure(reason) ? this.#statusFailure(null) : reason;
    this.#arrival?.drop();
    if (this.#arrival) {
      this.#parts?.free();
      if (this.#body) freeMemory(this.#body.buffer);
    }
    this.#body = this.#parts = null;
    this.reject(
      isUpstreamFailure(error)
        ? error
        : new UpstreamFailure('connection', connectionFault(error), { unsent: this.#carrier === null }),
    );
  }

  #callOff(failure: UpstreamFailure): void {
    this.fail(failure);
    this.#carrier?.destroy();
  }

  #tooLarge(): UpstreamFailure {
    return new UpstreamFailure('too-large', `its answer is larger than ${this.answerBytesMax} bytes`);
  }

  #settle(): void {
    this.#settled = true;
    this.#stopListening?.();
  }
}

/** The failure that a status other than 200 is. @param body null where it did not come in time and size. */
type StatusFailure = (body: Buffer | null) => UpstreamFailure;

function statusFailure(status: number, retryAfter: string | undefined, body: Buffer | null): UpstreamFailure {
  const rest = retryAfterMs(retryAfter, Date.now());
  if (status === 429)
    return new UpstreamFailure(
      'rate-limited',
      'it answered with status 429',
      { status, ...(rest === undefined ? {} : { retryAfterMs: rest }) },
      body,
    );
  if (status === 503 && rest !== undefined)
    return new UpstreamFailure('rate-limited', 'it answered with status 503', { status, retryAfterMs: rest }, body);
  return new UpstreamFailure('status', `it answered with status ${status}`, { status }, body);
}

/** A fault that is told by the code of this one. */
export class ConnectionFault extends Error {
  constructor(readonly code: 'NO_HTTP' | 'CUT_OFF' | 'CONNECT_TIMEOUT' | 'CLOSED') {
    super(code);
  }
}

const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it closed the connection before the answer was complete',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  CONNECT_TIMEOUT: 'it did not accept a connection in time',
  CUT_OFF: 'it closed the connection before the answer was complete',
  NO_HTTP: 'its answer is no HTTP',
  CLOSED: 'it is no longer in use',
};

/** Node's messages name hosts and ports; only the kind of fault is passed on. */
function connectionFault(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return CONNECTION_FAULTS[code] ?? `the connection failed${/^[A-Z_]+$/.test(code) ? ` (${code})` : ''}`;
}
