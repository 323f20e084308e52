import type { RequestRecord } from './request-record';

/** A request, free of any framework. Endpoints see nothing else of HTTP. */
export interface Call {
  readonly method: string;
  /** The path as it came, without the query. */
  readonly path: string;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** 32 hex characters that name this request in answers, logs and the ledger. */
  readonly requestId: string;
  readonly clientIp: string;
  /** What is found out about it on its way, for the log. */
  readonly record: RequestRecord;
  /** Tells when the client goes away before it is answered. */
  readonly whenGone: WhenGone;
  /** A request header, by lower-case name; null where absent. */
  header(name: string): string | null;
  /** The names of all request headers, in lower case. */
  headerNames(): Iterable<string>;
  /**
   * The whole body, at once where it is there. Nothing is read before this is called, so a caller who is refused costs no
   * memory.
   * @throws ApiError BODY_TOO_LARGE beyond `bytesMax`.
   */
  readBody(bytesMax: number): Uint8Array | Promise<Uint8Array>;
}

/**
 * Calls the listener once, when the client goes away; at once, if it has gone. Costs a tenth of an AbortSignal,
 * which counts on the way of every call.
 * @returns how to stop listening.
 */
export type WhenGone = (listener: () => void) => () => void;

/** A body that is there in full: text, bytes, or parts that are sent one after another without being put together. */
export type WholeBody = string | Uint8Array | readonly Uint8Array[];

/** An answer: the body is whole, pushed as it comes, or a stream. */
export interface Reply {
  status: number;
  /** Of the status line of HTTP/1.1; the usual one unless given. */
  reason?: string;
  headers: Record<string, string>;
  body: WholeBody | PushBody | ReadableStream<Uint8Array> | null;
  /** Of whoever asked, where a large answer that is not read is to be held against it. */
  accountId?: number;
  /** Never compressed: what is encrypted, and a secret beside text of the request, which the length would tell of. */
  isVerbatim?: true;
}

/** A body that is pushed part by part, at a fraction of what a web stream costs for each. */
export interface PushBody {
  /** How long it is, where that is known before it begins. */
  readonly bytes?: number;
  /** Begins. Called once at most; whatever comes of it comes into the sink. */
  start(sink: BodySink): void;
  /** The client takes more again, after a write that said it would not. */
  resume(): void;
  /** Nobody wants the rest, or any of it: the client has gone. May be called at any time, and more than once. */
  cancel(): void;
  /** The whole body was handed to the client's connection. `cancel` does not come then. */
  sent?(): void;
}

/** Where a body is pushed to. Nothing may come after `end` or `fail`. */
export interface BodySink {
  /** @returns whether more may come at once; else `resume` says when. What comes all the same is kept. */
  write(bytes: Uint8Array): boolean;
  end(): void;
  /** Ends the connection after what was written, so that the client sees that the body is not whole. */
  fail(): void;
  /** Ends the connection at once, whatever waits in it: its reader takes nothing. */
  drop(): void;
}

/** Whether a body is pushed. */
export function isPushBody(body: Reply['body']): body is PushBody {
  return typeof body === 'object' && body !== null && 'cancel' in body && 'start' in body;
}

/** A JSON answer. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** How many bytes a whole body has. */
export function byteLengthOf(body: WholeBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, part) => sum + part.byteLength, 0);
}

/** A whole body in one piece. */
export function bytesOf(body: WholeBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? body : Buffer.concat(body);
}
