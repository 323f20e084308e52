import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { RequestRecord } from './request-record';

/** Request as endpoints see it, independent of the web framework. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** 32 hex characters, used in answers, logs and the ledger. */
  readonly requestId: string;
  readonly clientIp: string;
  readonly record: RequestRecord;
  /** Notifies when the client disconnects before its answer is complete. */
  readonly whenGone: WhenGone;
  /** Returns a request header by lower-case name; null if absent. */
  header(name: string): string | null;
  headerNames(): Iterable<string>;
  /**
   * Reads the whole body, synchronously if it has arrived. Nothing more is read before this call, so that refused
   * callers cost no memory.
   * @throws ApiError BODY_TOO_LARGE beyond `bytesMax`
   */
  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array>;
  /**
   * Reads the body in parts. Use this or `readBody`, not both. The loop over the parts may stop early.
   * @throws ApiError BODY_TOO_LARGE beyond `bytesMax`
   */
  streamBody(bytesMax: number): AsyncIterable<Uint8Array>;
}

/**
 * Calls the listener once when the client disconnects, or immediately if the client has already disconnected. This
 * costs a tenth of what an AbortSignal costs.
 *
 * @returns a function that stops listening
 */
export type WhenGone = (listener: () => void) => () => void;

/** Complete body: a text, bytes, or several byte arrays in order. */
export type WholeBody = string | Uint8Array | readonly Uint8Array[];

export interface Reply {
  status: number;
  /** Reason phrase of the status line. The default is the standard phrase of the status. */
  reason?: string;
  headers: Record<string, string>;
  body: WholeBody | PushBody | ReadableStream<Uint8Array> | null;
  /** Caller's account. A large answer counts against this account's memory limit until the client has read it. */
  accountId?: number;
  /** True to send the body uncompressed, because the length of compressed text can reveal a secret in it. */
  isVerbatim?: true;
}

/** Streamed body that writes to a sink. Takes a fraction of the time of a web stream. */
export interface PushBody {
  /** Length in bytes, if known in advance. */
  readonly bytes?: number;
  /**
   * True when the client has all content, even if the end of the body is not sent. Some clients do not wait for that
   * end.
   */
  readonly isComplete?: boolean;
  /** Starts writing to the sink. Called at most once. */
  start(sink: BodySink): void;
  /** Called after a write that returned false, when the client accepts more bytes. */
  resume(): void;
  /** Stops the body because the client disconnected. May be called at any time and repeatedly. */
  cancel(): void;
  /** Called when the whole body has been passed to the connection. `cancel` is not called after this. */
  sent?(): void;
}

/** Destination of a `PushBody`. After `end` or `fail`, no method may be called. */
export interface BodySink {
  /** @returns false if the writer should wait for `resume`. The bytes are accepted in either case */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** Sends the bytes already written, then closes the connection, so that the client sees an incomplete body. */
  fail(): void;
  /** Closes the connection immediately, because the client accepts nothing. */
  drop(): void;
}

export function isPushBody(body: Reply['body']): body is PushBody {
  return typeof body === 'object' && body !== null && 'cancel' in body && 'start' in body;
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function bodyTooLarge(bytesMax: number): ApiError {
  return apiError('BODY_TOO_LARGE', { message: `The request body is larger than ${bytesMax} bytes.` });
}

export function byteLengthOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, part) => sum + part.byteLength, 0);
}

export function bytesOf(body: WholeBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? body : Buffer.concat(body);
}

export class DelegatedCall implements Call {
  readonly method: Call['method'];
  readonly path: Call['path'];
  readonly params: Call['params'];
  readonly query: Call['query'];
  readonly requestId: Call['requestId'];
  readonly clientIp: Call['clientIp'];
  readonly record: Call['record'];
  readonly whenGone: Call['whenGone'];

  constructor(protected readonly call: Call) {
    ({
      method: this.method,
      path: this.path,
      params: this.params,
      query: this.query,
      requestId: this.requestId,
      clientIp: this.clientIp,
      record: this.record,
      whenGone: this.whenGone,
    } = call);
  }

  header(name: string): string | null {
    return this.call.header(name);
  }

  headerNames(): Iterable<string> {
    return this.call.headerNames();
  }

  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array> {
    return this.call.readBody(bytesMax);
  }
  streamBody(bytesMax: number): AsyncIterable<Uint8Array> {
    return this.call.streamBody(bytesMax);
  }
}
