import type { WhenGone } from '../../http/call';

/** What an upstream is asked. */
export interface ModelRequest {
  method: 'GET' | 'POST';
  /** Below the upstream's base URL, with a slash in front. */
  path: string;
  body?: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
  /** Of the request that it is asked for, where the upstream may see it. */
  traceparent?: string | null | undefined;
  /** Until the first byte of the answer; the configured one unless given. */
  timeoutMs?: number;
}

/** A whole answer. */
export interface UpstreamAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** What can be asked for whole answers, and knows its secrets. */
export interface AskedServer {
  /** @throws UpstreamFailed where there is no answer in time, or more than `bytesMax` of it */
  ask(question: ModelRequest, bytesMax: number, whenGone?: WhenGone): Promise<UpstreamAnswer>;
  /** A text of the server's without secrets. */
  redact(text: string): string;
}
