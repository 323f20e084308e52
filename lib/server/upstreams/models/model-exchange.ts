import type { Readable } from 'node:stream';
import type { WhenGone } from '../../http/call';

/** Caller for whom a request waits for a slot. */
export interface Turn {
  readonly caller: number;
  readonly whenGone: WhenGone;
}

export interface ModelRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Body of the request. A stream can be sent only once, and `headers` must state its length. */
  body?: Uint8Array | string | Readable;
  headers?: Readonly<Record<string, string>>;
  traceparent?: string | null | undefined;
  /** If absent, the request is sent at once and takes no slot. */
  turn?: Turn;
  /** Time within which the first byte of the answer must arrive. Default: the configured timeout. */
  timeoutMs?: number;
}

export interface UpstreamAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Server whose answers the gateway reads in full. `redact` removes the server's secrets from a text. */
export interface AskedServer {
  ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer>;
  redact(text: string): string;
}
