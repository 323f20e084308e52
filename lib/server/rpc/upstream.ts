import { type Dispatcher, Pool } from 'undici';
import type { UpstreamConfig } from '../config/load';
import type { WhenGone } from '../http/call';
import { Exchange } from './exchange';

export interface UpstreamOptions {
  connections: number;
  connectTimeoutMs: number;
  answerBytesMax: number;
}

/** One JSON-RPC endpoint over HTTP, with connections that are kept alive. */
export class Upstream {
  readonly #pool: Pool;
  readonly #answerBytesMax: number;
  readonly #request: Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers'>;

  constructor({ url, headers }: UpstreamConfig, { connections, connectTimeoutMs, answerBytesMax }: UpstreamOptions) {
    const parsed = new URL(url.reveal());
    this.#answerBytesMax = answerBytesMax;
    this.#request = {
      path: parsed.pathname + parsed.search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...basicAuthorization(parsed),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
      },
    };
    // The time-out of a whole attempt is kept by the exchange: one timer instead of two for each request.
    this.#pool = new Pool(parsed.origin, { connections, connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 });
  }

  /**
   * Posts a body and collects the whole answer, once: nothing is tried again here.
   * @param timeoutMs from now to the last byte of the answer.
   * @param whenGone where nobody waits for the answer any more once somebody is gone.
   * @throws UpstreamFailure where there is no complete answer of status 200 within the time and size.
   */
  post(body: string, timeoutMs: number, whenGone?: WhenGone): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#pool.dispatch({ ...this.#request, body }, new Exchange(timeoutMs, this.#answerBytesMax, whenGone, resolve, reject));
    });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

function basicAuthorization(url: URL): Record<string, string> {
  if (!url.username && !url.password) return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
