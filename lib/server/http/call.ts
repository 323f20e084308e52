import { type ApiError, apiError } from '@/lib/protocol/errors';
import type { RequestRecord } from './request-record';

/** Request as seen by endpoints, independent of the framework. */
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
   * Reads the whole body, synchronously if it has arrived. The gateway reads a body only on this call, so that refused
   * callers cost no memory.
   * @throws ApiError BODY_TOO_LARGE beyond `bytesMax`
   */
  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array>;
  /**
   * Reads the body in parts, instead of `readBody`. The loop over the parts may stop early.
   * @throws ApiError BODY_TOO_LARGE beyond `bytesMax`
   */
  streamBody(bytesMax: number): AsyncIterable<Uint8Array>;
}

/**
 * Calls the listener once when the client disconnects, or immediately if the client has already disconnected. Costs a
 * tenth as much as an AbortSignal.
 *
 * @returns a function that stops listening
 */
export type WhenGone = (listener: () => void) => () => void;

/** Complete body: text, bytes, or consecutive parts. */
export type WholeBody = string | Uint8Array | readonly Uint8Array[];

export interface Reply {
  status: number;
  /** Reason phrase of the status line. Default: the standard phrase. */
  reason?: string;
  headers: Record<string, string>;
  body: WholeBody | PushBody | ReadableStream<Uint8Array> | null;
  /** Account of the caller. A large answer counts against its memory limit until the client has read the answer. */
  accountId?: number;
  /** True to send the body uncompressed. The length of compressed text can reveal a secret in the text. */
  isVerbatim?: true;
}

/** Streamed body that writes to a sink. Costs a fraction of a web stream. */
export interface PushBody {
  /** Length in bytes, if known in advance. */
  readonly bytes?: number;
  /** Starts writing to the sink. Called at most once. */
  start(sink: BodySink): void;
  /** Called when the client accepts more bytes after a write that returned false. */
  resume(): void;
  /** Stops the body because the client disconnected. May be called at any time and repeatedly. */
  cancel(): void;
  /** Called when the whole body was passed to the connection. `cancel` is not called afterwards. */
  sent?(): void;
}

/** Destination of a `PushBody`. No call may follow `end` or `fail`. */
export interface BodySink {
  /** @returns false if the writer should wait for `resume`. The bytes are accepted in either case */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** Closes the connection after the written bytes, so that the client sees an incomplete body. */
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
