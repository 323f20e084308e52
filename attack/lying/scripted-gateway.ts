import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EnclaveChats } from './enclave-chats';
import type { Endpoint } from './endpoint';
import { ENDPOINTS } from './endpoints';
import type { Lie } from './lies';
import { type Answer, Scenario, type SeenRequest } from './scenario';
import { outgoing, send } from './sent-answer';

/** Headers with the caller's authority. A client may send them only to the gateway's origin. */
const CREDENTIALS = [
  'authorization',
  'sign-in-with-x',
  'payment-signature',
  'x-payment',
  'proxy-authorization',
  'cookie',
];
const NOT_FOUND: Answer = {
  status: 404,
  headers: {},
  json: { error: 'There is nothing at this path.', code: 'NOT_FOUND', hint: '' },
};

/** Request that reached the trap. No client has a reason to call the trap. */
export interface Led {
  path: string;
  credentials: readonly string[];
  body: string;
}

/**
 * Gateway on loopback that answers every endpoint with the lies of the current call. Has a trap on another origin. Each
 * call has its own path prefix, so that many calls can run in parallel.
 */
export class ScriptedGateway {
  readonly chats = new EnclaveChats();
  readonly led: Led[] = [];
  readonly #scenarios = new Map<string, Scenario>();
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response).catch(() => response.socket?.destroy()),
  );
  readonly #trap = createServer((request, response) => void this.#caught(request, response));
  origin = '';
  trapUrl = '';
  #named = 0;

  static async start(): Promise<ScriptedGateway> {
    const gateway = new ScriptedGateway();
    gateway.origin = await listening(gateway.#server);
    gateway.trapUrl = await listening(gateway.#trap);
    return gateway;
  }

  async stop(): Promise<void> {
    for (const server of [this.#server, this.#trap]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Registers a call. @returns the gateway's URL for this call */
  open(scenario: Scenario): { url: string; close: () => void } {
    const name = `call-${++this.#named}`;
    this.set(name, scenario);
    return { url: this.urlOf(name), close: () => void this.#scenarios.delete(name) };
  }

  /** Sets the lies for a client that makes several calls. */
  set(name: string, scenario: Scenario): void {
    this.#scenarios.set(name, scenario);
  }

  urlOf(name: string): string {
    return `${this.origin}/${name}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', this.origin);
    const [, name = '', path = '/'] = /^\/([^/]*)(\/.*)$/.exec(url.pathname) ?? [];
    const scenario = this.#scenarios.get(name) ?? new Scenario({});
    const endpoint = ENDPOINTS.find((each) => each.method === request.method && each.path.test(path));
    const seen: SeenRequest = {
      endpoint: endpoint?.id ?? null,
      method: request.method ?? '',
      path: url.pathname,
      headers: request.headers as SeenRequest['headers'],
      body,
    };
    scenario.seen.push(seen);
    const lies = (endpoint && scenario.lies[endpoint.id]) ?? [];
    const answer = endpoint ? this.#answer(endpoint, seen, url.searchParams, scenario, lies) : NOT_FOUND;
    await send(outgoing(answer, lies, this.trapUrl), response);
  }

  #answer(
    endpoint: Endpoint,
    request: SeenRequest,
    query: URLSearchParams,
    scenario: Scenario,
    lies: readonly Lie[],
  ): Answer {
    const asked = { request, query, scenario, chats: this.chats, origin: this.origin };
    try {
      const honest = endpoint.answer(asked);
      return lies.reduce(
        (answer, lie) => (lie.kind === 'own' && endpoint.falsify ? endpoint.falsify(answer, lie, asked) : answer),
        honest,
      );
    } catch (error) {
      // Relays the enclave's refusal, as a gateway does.
      return { status: 400, headers: {}, json: { error: String(error), code: 'INVALID_REQUEST', hint: '' } };
    }
  }

  async #caught(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    this.led.push({
      path: request.url ?? '/',
      credentials: CREDENTIALS.filter((name) => request.headers[name] !== undefined),
      body: body.toString('utf8'),
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
