import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

interface Recorded {
  /** Time in milliseconds from `performance.now`. */
  atMs: number;
  path: string;
  body: string;
}

/** Size of the scripted node's logs in bytes: more than a gateway should store for a fraction of a cent. */
export const LARGE_ANSWER_BYTES = 24_000_000;
/** Time that the scripted node takes to answer eth_getBalance, so that a caller can disconnect before the answer. */
export const SLOW_ANSWER_MS = 400;

/**
 * Proxy between a gateway and the simulated chains and models. Records the gateway's requests, so that a test does not
 * depend on the gateway's own reports. `/scripted` is an Ethereum node with large and slow answers.
 */
export class Recorder {
  readonly recorded: Recorded[] = [];
  /** Returns the milliseconds to wait before a request is forwarded. */
  delayMs: (request: Recorded) => number = () => 0;
  /** Changes answers. Null streams them unchanged. */
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

  /** Returns the requests since `atMs` whose path has this prefix. */
  since(atMs: number, path = '/'): Recorded[] {
    return this.recorded.filter((each) => each.atMs >= atMs && each.path.startsWith(path));
  }

  /** Runs an attack while `alter` changes the answers. */
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
    // An answer that `alter` changes must arrive uncompressed.
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
