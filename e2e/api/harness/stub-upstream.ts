import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A JSON-RPC item as the gateway sent it. */
export interface StubItem {
  id: unknown;
  method: string;
  params: unknown;
}

/** A request that reached the stub, and what became of it. */
export interface StubRequest {
  /** The path without its slash: the network, as the harness names it in the URL. */
  network: string;
  headers: IncomingHttpHeaders;
  /** The body as received. */
  text: string;
  items: StubItem[];
  batch: boolean;
  /** True if the whole answer was handed over. */
  answered: boolean;
  /** True if the gateway closed the connection before there was a whole answer. */
  aborted: boolean;
}

/** What to answer: a body of status 200 and JSON, or all of it. Nothing where the script deals with `response` itself. */
export type StubAnswer =
  | string
  | Uint8Array
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array };
export type StubScript = (
  request: StubRequest,
  response: ServerResponse,
) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

/** A node that records what it is asked and answers what the test says. */
export class StubUpstream {
  readonly requests: StubRequest[] = [];
  #script: StubScript = resultOfEach('"0x2a"');
  readonly #server: Server = createServer(
    { keepAliveTimeout: 60_000 },
    (request, response) => void this.#serve(request, response),
  );

  /** Listens on a free port of the loopback address. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** Returns where requests for a network go. */
  url(network: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${network}`;
  }

  /** Answers with this script from now on. */
  answer(script: StubScript): void {
    this.#script = script;
  }

  /** Forgets what was asked and answers every item with a result again. */
  reset(): void {
    this.requests.length = 0;
    this.#script = resultOfEach('"0x2a"');
  }

  /** The only request since the last reset. @throws Error if there was none, or more. */
  get request(): StubRequest {
    const [first, second] = this.requests;
    if (!first || second) throw new Error(`The stub got ${this.requests.length} requests, not one.`);
    return first;
  }

  /** Closes connections that wait for a next request, as a node does after a while. */
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

/** Answers every item with the same result, given as JSON text. */
export function resultOfEach(result: string): StubScript {
  return answerOfEach(() => `"result":${result}`);
}

/** Answers every item with the same error, given as JSON text. */
export function errorOfEach(error = '{"code":-32602,"message":"invalid params"}'): StubScript {
  return answerOfEach(() => `"error":${error}`);
}

/** Answers each item with the member that `memberOf` gives as JSON text, as `"result":1`. */
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
