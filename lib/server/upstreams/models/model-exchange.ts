import type { Readable } from 'node:stream';
import type { WhenGone } from '../../http/call';

export interface ModelRequest {
  method: 'GET' | 'POST';
  path: string;
  /** A stream is sent only once, with its length in the headers. */
  body?: Uint8Array | string | Readable;
  headers?: Readonly<Record<string, string>>;
  /** Value of the `traceparent` header, if the upstream may see it. */
  traceparent?: string | null | undefined;
  /** Timeout of the answer's first byte. Default: the configured one. */
  timeoutMs?: number;
}

export interface UpstreamAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Server that gives a whole answer of any status. `redact` removes its secrets from a text. */
export interface AskedServer {
  /** @throws UpstreamFailed if the server is unreachable, or its answer is late or longer than `bytesMax` */
  ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer>;
  redact(text: string): string;
}
