import { timingSafeEqual, createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRebindableHost } from '@/lib/protocol/rebindable-host';
import type { Metrics } from './metrics';

const REQUEST_MS = 10_000;

interface MetricsServerOptions {
  port: number;
  host: string;
  /** Token that a scraper must send; null if none is needed. */
  token: { reveal(): string } | null;
  /** Host names in lower case. Without a token, only IP addresses, `localhost` and these names are accepted as Host. */
  names?: readonly string[];
}

/** Serves `GET /metrics` on a separate listener, so that the public listener never exposes metrics. */
export class MetricsServer {
  readonly #server;

  constructor(
    private readonly metrics: Metrics,
    private readonly options: MetricsServerOptions,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.onError(error);
        response.destroy();
      });
    });
    // The listener alone must not keep the process alive.
    this.#server.unref();
  }

  /** @returns port @throws Error if the address is in use */
  listen(): Promise<number> {
    const { port, host } = this.options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        reject(
          error.code === 'EADDRINUSE'
            ? new Error(
                `Port ${port} on ${host} is in use. Stop the program that uses it, or set ADMIN_PORT to another port.`,
              )
            : error,
        );
      });
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, names } = this.options;
    if (token !== null && !isBearerOf(request.headers.authorization, token.reveal()))
      return refuse(response, 401, 'The token is missing or wrong: send "Authorization: Bearer" with ADMIN_TOKEN.');
    if (token === null && isRebindableHost(request.headers.host, names))
      return refuse(
        response,
        421,
        'The Host header is not a name of this gateway. Use an IP address, localhost, or the host of PUBLIC_URL.',
      );
    if (request.url?.split('?')[0] !== '/metrics')
      return refuse(response, 404, 'This listener serves only GET /metrics.');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'This path supports only GET.');
    const text = await this.metrics.text();
    response
      .writeHead(200, { 'content-type': this.metrics.contentType, 'cache-control': 'no-store' })
      .end(request.method === 'HEAD' ? undefined : text);
  }
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  const challenge =
    status === 401
      ? { 'www-authenticate': 'Bearer realm="Turnpike admin"' }
      : status === 405
        ? { allow: 'GET, HEAD' }
        : {};
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...challenge })
    .end(`${sentence}\n`);
}

/** Compares hashes, so that the time needed reveals nothing about the token. */
function isBearerOf(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
