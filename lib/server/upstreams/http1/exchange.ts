import { isUtf8 } from 'node:buffer';
import { PARSE_BYTES_MAX } from '@/lib/protocol/jsonrpc/answer';
import { type JsonStructure, StructureScan } from '@/lib/protocol/json-structure/structure-scan';
import { BodyParts } from '../../http/body-parts';
import { COUNTED_BYTES_MIN, type HeldMemory } from '../../http/held-memory/held-memory';
import type { Arrival } from '../../http/held-memory/large-answers';
import { freeMemory } from '../../http/held-memory/holdings';
import type { Asker } from '../nodes/asker';
import { deadlines, type Timed } from './deadlines';
import { retryAfterMs, isUpstreamFailure, UpstreamFailure } from '../nodes/upstream-failure';

/** Maximum size of an error page that is read to its end, so that the connection can be reused. */
const ERROR_BODY_BYTES_MAX = 65_536;
/** Maximum size of an error body to keep. The body may contain a JSON-RPC error. */
const ERROR_KEPT_BYTES_MAX = 16_384;
const ERROR_BODY_MS_MAX = 1_000;
const CLAIM_BYTES = 1024 * 1024;

export interface Carrier {
  destroy(): void;
  /** Stops reading until `resume` is called. When the kernel's buffer is full, TCP makes the sender wait. */
  pause(): void;
  resume(): void;
}

export interface AnswerBody {
  bytes: Buffer;
  /** JSON structure of a long answer, which is scanned while the answer arrives; null for a short answer. */
  structure: JsonStructure | null;
}

/** One request and its answer. Resolves once with the body of a 200 answer, or rejects with an UpstreamFailure. */
export class Exchange implements Timed {
  deadline: number;
  slot = -1;
  /** When the exchange started; after a wait for a connection, when that wait ended (`performance.now()`). */
  startedAt: number;
  #carrier: Carrier | null = null;
  #settled = false;
  #statusFailure: StatusFailure | null = null;
  #body: Buffer | null = null;
  #parts: BodyParts | null = null;
  #length = 0;
  #scan: StructureScan | null = null;
  #arrival: Arrival | null = null;
  /** True if the answer had to wait for memory. A timeout is then not the upstream's fault. */
  #hasWaited = false;
  /** True while the exchange waits for a connection. A timeout is then not the upstream's fault. */
  #isQueued = false;
  readonly #stopListening: (() => void) | undefined;

  constructor(
    readonly text: string,
    private readonly timeoutMs: number,
    private readonly answerBytesMax: number,
    private readonly asker: Asker | undefined,
    private readonly resolve: (body: AnswerBody) => void,
    private readonly reject: (failure: UpstreamFailure) => void,
    private readonly memory: HeldMemory | null = null,
    readonly traceparent: string | null = null,
    /** Account for which the request is sent; null for the gateway itself. */
    readonly caller: number | null = null,
  ) {
    this.startedAt = performance.now();
    this.deadline = this.startedAt + timeoutMs;
    deadlines.add(this);
    this.#stopListening = asker?.whenGone(() =>
      this.#callOff(new UpstreamFailure('aborted', 'the client closed the connection')),
    );
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /**
   * Returns whether to send the request. Compares the deadline with the clock, because timers fire late on a busy
   * machine.
   */
  isDue(): boolean {
    if (!this.#settled && performance.now() >= this.deadline) this.onDeadline();
    return !this.#settled;
  }

  get isQueued(): boolean {
    return this.#isQueued && !this.#settled;
  }

  queued(joinLine: (caller: number | null) => void): void {
    this.#isQueued = true;
    this.asker?.onQueued?.(joinLine);
  }

  dequeued(): void {
    this.#isQueued = false;
    this.startedAt = performance.now();
  }

  departs(carrier: Carrier): void {
    this.#carrier = carrier;
    this.asker?.onSent();
  }

  onDeadline(): void {
    if (this.#settled) this.#carrier?.destroy();
    else if (this.#statusFailure) this.#callOff(this.#statusFailure(null));
    else if (this.#isQueued) this.fail(busyFailure(RETRY_AFTER_MS));
    else if (this.#hasWaited)
      this.#callOff(
        new UpstreamFailure('overloaded', `the gateway had no memory for its answer within ${this.timeoutMs} ms`),
      );
    else this.#callOff(new UpstreamFailure('timeout', `it returned no complete answer within ${this.timeoutMs} ms`));
  }

  /** @param length number of bytes in the body; negative if unknown */
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
   * Copies a part of the body.
   *
   * @param missing bytes that follow this part; negative if unknown
   * @returns false if the connection was closed
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

  /** Rejects the exchange, but reads the error page to its end, so that the connection can be reused. */
  #drain(failure: StatusFailure): void {
    this.fail(failure(null));
    this.deadline = performance.now() + ERROR_BODY_MS_MAX;
    deadlines.add(this);
  }

  get #claimedBytes(): number {
    return this.#arrival ? this.#arrival.claimedBytes + this.#arrival.wantedBytes : 0;
  }

  #claim(bytes: number): void {
    if (!this.memory) return;
    this.#arrival ??= this.memory.arrive(() => this.#carrier?.resume());
    if (this.#arrival.claim(bytes)) return;
    this.#hasWaited = true;
    this.#carrier?.pause();
  }

  /**
   * Allocates memory for a whole answer and copies the received bytes. A long answer gets its own buffer, which can be
   * freed early.
   */
  #allocate(received: number, length: number): Buffer {
    const body = length > COUNTED_BYTES_MIN ? Buffer.allocUnsafeSlow(length) : Buffer.allocUnsafe(length);
    if (received > 0) this.#parts?.moveInto(body);
    this.#parts = null;
    return body;
  }

  #scanOn(bytes: Buffer, start: number, end: number, missing: number): void {
    if (!this.#scan) {
      if (this.#length + Math.max(0, missing) <= PARSE_BYTES_MAX) return;
      this.#scan = StructureScan.start();
      for (const part of this.#parts ?? []) this.#scan?.feed(part, 0, part.byteLength);
    }
    this.#scan?.feed(bytes, start, end);
  }

  onEnd(): void {
    deadlines.remove(this);
    if (this.#settled) return;
    if (this.#statusFailure) return this.fail(this.#statusFailure(this.#parts?.whole() ?? null));
    this.#settle();
    const bytes = this.#body ?? this.#joined();
    this.#arrival?.complete(bytes);
    // JSON is UTF-8 (RFC 8259). This check takes 0.05 ms per megabyte. Decoding the text would take 60 times as long.
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

  fail(reason: Error): void {
    deadlines.remove(this);
    if (this.#settled) return;
    this.#settle();
    // If the connection breaks while an error page is read, the page's status is still reported.
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

const RETRY_AFTER_MS = 5_000;

/**
 * Failure of a request that was not sent, because this caller or all callers together have too many running requests.
 */
export function busyFailure(retryAfterMs: number): UpstreamFailure {
  return new UpstreamFailure('busy', 'too many calls are running', { retryAfterMs, unsent: true, free: true });
}

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
  NO_HTTP: 'its answer is not HTTP',
  CLOSED: 'it is no longer in use',
};

/** Does not include Node's message, because it contains hosts and ports. */
function connectionFault(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return CONNECTION_FAULTS[code] ?? `the connection failed${/^[A-Z_]+$/.test(code) ? ` (${code})` : ''}`;
}
