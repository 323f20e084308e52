import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a gateway asked of somebody. */
export interface Recorded {
  /** Milliseconds, as `performance.now` counts them. */
  atMs: number;
  path: string;
  body: string;
}

/** Of `/scripted`, in bytes: more than a balance should keep for a fraction of a cent. */
export const LARGE_ANSWER_BYTES = 24_000_000;
/** How long the scripted node thinks about a balance: enough for a caller to leave. */
export const SLOW_ANSWER_MS = 400;

/**
 * Stands between a gateway and everything that it asks: stand-in chains and models are reached through it, so that
 * what went out is known without asking the gateway. `/scripted` is a node of Ethereum that answers large and slowly.
 */
export class Recorder {
  readonly recorded: Recorded[] = [];
  /** How long a request is held back before it is passed on, in milliseconds. */
  delayMs: (request: Recorded) => number = () => 0;
  /** Changes what is answered; null leaves answers to stream as they come. */
  #alter: ((request: Recorded, answer: string) => string) | null = null;
  #server = createServer((request, response) => void this.#pass(request, response));
  url = '';

  private constructor(private readonly standInsUrl: string) {}

  static async start(standInsUrl: string): Promise<Recorder> {
    const recorder = new Recorder(standInsUrl);
    recorder.#server.keepAliveTimeout = 75_000;
    await new Promise<void>((resolve) => recorder.#server.listen(0, '127.0.0.1', resolve));
    recorder.url = `http://127.0.0.1:${(recorder.#server.address() as AddressInfo).port}`;
    return recorder;
  }

  /** What was asked since a moment, whose path has this beginning. */
  since(atMs: number, path = '/'): Recorded[] {
    return this.recorded.filter((each) => each.atMs >= atMs && each.path.startsWith(path));
  }

  /** Runs an attack while nodes answer falsely. */
  async altering<Result>(
    alter: (request: Recorded, answer: string) => string,
    run: () => Promise<Result>,
  ): Promise<Result> {
    this.#alter = alter;
    try {
      return await run();
    } finally {
      this.#alter = null;
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const recorded = { atMs: performance.now(), path: request.url ?? '/', body: body.toString('utf8') };
    this.recorded.push(recorded);
    const delayMs = this.delayMs(recorded);
    if (delayMs > 0) await sleep(delayMs);
    if (recorded.path.startsWith('/scripted')) return answerAsNode(recorded.body, response);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const alter = this.#alter;
    // What is to be changed has to come as text.
    if (alter) delete headers['accept-encoding'];
    const onward = httpRequest(this.standInsUrl + recorded.path, { method: request.method, headers });
    onward.once('response', (answer) => {
      if (alter)
        return void passAltered(answer, response, (text) => alter(recorded, text)).catch(() => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    onward.end(body);
  }
}

async function passAltered(
  answer: IncomingMessage,
  response: ServerResponse,
  alter: (text: string) => string,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers).end(alter(Buffer.concat(chunks).toString('utf8')));
}

/** The methods that JSON-RPC requests name. */
export function methodsOf(requests: readonly Recorded[]): string[] {
  return requests.flatMap(({ body }) =>
    Array.from(body.matchAll(/"method" *: *"(\w+)"/g), ([, method]) => method ?? ''),
  );
}

const NOISE = randomBytes(LARGE_ANSWER_BYTES / 2).toString('hex');

async function answerAsNode(body: string, response: ServerResponse): Promise<void> {
  const question = JSON.parse(body) as { id?: unknown; method?: string } | { id?: unknown; method?: string }[];
  const answers = await Promise.all(
    [question]
      .flat()
      .map(
        async ({ id, method }) =>
          `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":${await resultOf(method)}}`,
      ),
  );
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(Array.isArray(question) ? `[${answers.join(',')}]` : answers[0]);
}

async function resultOf(method: string | undefined): Promise<string> {
  if (method === 'eth_chainId') return '"0x1"';
  if (method === 'eth_getLogs') return `["0x${NOISE}"]`;
  if (method === 'eth_getBalance') await sleep(SLOW_ANSWER_MS);
  return '"0x14d5c3f"';
}
