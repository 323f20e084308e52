import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One JSON-RPC call from the gateway. */
export interface StubItem {
  id: unknown;
  method: string;
  params: unknown;
}

/** Request that reached the stub, and its outcome. */
export interface StubRequest {
  /** The network, which is the request's path without the slash. */
  network: string;
  headers: IncomingHttpHeaders;
  /** The body as received. */
  text: string;
  items: StubItem[];
  batch: boolean;
  /** True if the whole answer was sent. */
  answered: boolean;
  /** True if the gateway closed the connection before the end of the answer. */
  aborted: boolean;
}

/** A JSON body for status 200, or a whole answer. Undefined if the script itself writes to `response`. */
export type StubAnswer =
  | string
  | Uint8Array
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array };
export type StubScript = (
  request: StubRequest,
  response: ServerResponse,
) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

/** Node that records requests and answers with the test's script. */
export class StubUpstream {
  readonly requests: StubRequest[] = [];
  #script: StubScript = resultOfEach('"0x2a"');
  readonly #server: Server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void this.#serve(request, response),
  );

  /** Listens on a free loopback port. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Returns the URL for a network's requests. */
  url(network: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${network}`;
  }

  answer(script: StubScript): void {
    this.#script = script;
  }

  /** Forgets all requests. Answers every call with a result again. */
  reset(): void {
    this.requests.length = 0;
    this.#script = resultOfEach('"0x2a"');
  }

  /** The only request since the last reset. @throws Error if there was none or more than one */
  get request(): StubRequest {
    const [first, second] = this.requests;
    if (!first || second) throw new Error(`The stub got ${this.requests.length} requests, not one.`);
    return first;
  }

  /** Closes idle connections, as nodes do after some time. */
  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const parsed = JSON.parse(text) as StubItem | StubItem[];
    const batch = Array.isArray(parsed);
    const request: StubRequest = {
      network: (incoming.url ?? '/').slice(1),
      headers: incoming.headers,
      text,
      items: batch ? parsed : [parsed],
      batch,
      answered: false,
      aborted: false,
    };
    this.requests.push(request);
    response.once('finish', () => (request.answered = true));
    response.once('close', () => (request.aborted = !response.writableFinished));
    const answer = await this.#script(request, response);
    if (answer !== undefined && !response.destroyed) send(answer, response);
  }
}

/** Answers every call with the same result, given as JSON text. */
export function resultOfEach(result: string): StubScript {
  return answerOfEach(() => `"result":${result}`);
}

/** Answers every call with the same error, given as JSON text. */
export function errorOfEach(error = '{"code":-32602,"message":"invalid params"}'): StubScript {
  return answerOfEach(() => `"error":${error}`);
}

/** Answers each call with the member from `memberOf`, as JSON text such as `"result":1`. */
export function answerOfEach(memberOf: (item: StubItem, index: number) => string): StubScript {
  return ({ items, batch }) => {
    const answers = items.map(
      (item, index) => `{"jsonrpc":"2.0","id":${JSON.stringify(item.id)},${memberOf(item, index)}}`,
    );
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };
}

function send(answer: StubAnswer, response: ServerResponse): void {
  const {
    status = 200,
    headers = { 'content-type': 'application/json' },
    body = '',
  } = typeof answer === 'string' || answer instanceof Uint8Array ? { body: answer } : answer;
  response.writeHead(status, headers).end(body);
}
