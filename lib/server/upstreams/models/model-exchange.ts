import type { Readable } from 'node:stream';
import type { WhenGone } from '../../http/call';

export interface ModelRequest {
  method: 'GET' | 'POST';
  path: string;
  /** A stream can be sent only once and needs its length in `headers`. */
  body?: Uint8Array | string | Readable;
  headers?: Readonly<Record<string, string>>;
  /** Value of the `traceparent` header, if the upstream may see it. */
  traceparent?: string | null | undefined;
  /** Timeout of the answer's first byte. Default: the configured timeout. */
  timeoutMs?: number;
}

export interface UpstreamAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Server whose answers are read whole. `redact` removes the server's secrets from a text. */
export interface AskedServer {
  ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer>;
  redact(text: string): string;
}
