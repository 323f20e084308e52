import type { UpstreamConfig } from '../../config/load';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import type { Asker } from './asker';
import { type AnswerBody, Exchange } from '../http1/exchange';
import { Connections, type ConnectionsOptions } from '../http1/connections';
import { REQUEST_HEADERS } from '../request-headers';

export interface UpstreamOptions extends ConnectionsOptions {
  answerBytesMax: number;
  memory?: HeldMemory;
}

const OWN_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

/** JSON-RPC endpoint over HTTP with keep-alive connections. */
export class Upstream {
  readonly sendsTraceContext: boolean;
  readonly #connections: Connections;
  readonly #answerBytesMax: number;
  readonly #memory: HeldMemory | null;

  constructor(
    { url, headers, traceContext = false }: UpstreamConfig,
    { answerBytesMax, memory, ...options }: UpstreamOptions,
  ) {
    const parsed = new URL(url.reveal());
    this.sendsTraceContext = traceContext;
    this.#answerBytesMax = answerBytesMax;
    this.#memory = memory ?? null;
    const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()] as const);
    this.#connections = new Connections(parsed, requestHead(parsed, configured), options);
  }

  get connectionUse(): { open: number; idle: number; waiting: number } {
    return this.#connections.use;
  }

  get isFull(): boolean {
    return this.#connections.isFull;
  }

  /**
   * Posts a body and returns the whole answer, without retries.
   * @param timeoutMs maximum time until the last byte of the answer
   * @param traceparent value of the `traceparent` header; null to send none
   * @param caller account for which the request is sent. Default: the gateway itself
   * @throws UpstreamFailure unless a complete answer with status 200 arrives within the limits of time and size
   */
  post(
    body: string,
    timeoutMs: number,
    asker?: Asker,
    traceparent?: string | null,
    caller?: number | null,
  ): Promise<AnswerBody> {
    return new Promise((resolve, reject) => {
      this.#connections.carry(
        new Exchange(body, timeoutMs, this.#answerBytesMax, asker, resolve, reject, this.#memory, traceparent, caller),
      );
    });
  }

  close(): Promise<void> {
    this.#connections.close();
    return Promise.resolve();
  }
}

function requestHead(url: URL, configured: readonly (readonly [string, string])[]): string {
  const headers = new Map([
    ['host', url.host],
    ['connection', 'keep-alive'],
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
    ...Object.entries(REQUEST_HEADERS),
    ...basicAuthorization(url),
    ...configured.filter(([name]) => !OWN_HEADERS.has(name)),
  ]);
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`);
  return [`POST ${url.pathname}${url.search} HTTP/1.1`, ...lines, 'content-length: '].join('\r\n');
}

function basicAuthorization(url: URL): [string, string][] {
  if (!url.username && !url.password) return [];
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return [['authorization', `Basic ${Buffer.from(pair).toString('base64')}`]];
}
