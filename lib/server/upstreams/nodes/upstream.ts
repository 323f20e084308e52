import type { UpstreamConfig } from '../../config/load';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import type { Asker } from './asker';
import { type AnswerBody, Exchange } from '../http1/exchange';
import { Connections, type ConnectionsOptions } from '../http1/connections';
import { REQUEST_HEADERS } from '../request-headers';

export interface UpstreamOptions extends ConnectionsOptions {
  answerBytesMax: number;
  /** Bounds what long answers of all upstreams take together; no bound where absent. */
  memory?: HeldMemory;
}

/** Headers that are the connection's own business. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

/** One JSON-RPC endpoint over HTTP, with connections that are kept alive. */
export class Upstream {
  /** Whether it may see which trace a request belongs to. */
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

  /** How many connections there are, how many of them are free, and how many requests wait for one. */
  get connectionUse(): { open: number; idle: number; waiting: number } {
    return this.#connections.use;
  }

  /**
   * Posts a body and collects the whole answer, once: nothing is tried again here.
   * @param timeoutMs from now to the last byte of the answer.
   * @param asker may take it back, where somebody does.
   * @param traceparent of the request that it is asked for, where the upstream may see it.
   * @throws UpstreamFailure where there is no complete answer of status 200 within the time and size.
   */
  post(body: string, timeoutMs: number, asker?: Asker, traceparent?: string | null): Promise<AnswerBody> {
    return new Promise((resolve, reject) => {
      this.#connections.carry(
        new Exchange(body, timeoutMs, this.#answerBytesMax, asker, resolve, reject, this.#memory, traceparent),
      );
    });
  }

  close(): Promise<void> {
    this.#connections.close();
    return Promise.resolve();
  }
}

/** The same bytes for every request, up to the number that is the length of its body. */
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
