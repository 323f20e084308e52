import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPrivateFetch, type PrivateFetchOptions } from '../../src/private-fetch';
import { refusalResponse, sdkFetch } from '../../src/sdk-fetch';
import type { Turnpike } from '../../src/turnpike';
import { turnpikeErrorOf } from '../../src/turnpike-error';
import { readChatPieces } from '../chat-pieces';
import { admit } from './admission';
import { attestedFetch } from './attested-fetch';
import { type ChatRequestBody, Untranslatable } from './chat-request';
import { chatOfMessagesRequest, messagesAnswer, messagesEvents } from './messages-api';
import { readBody } from './read-body';
import { chatOfResponsesRequest, type NamedEvent, responsesAnswer, responsesEvents } from './responses-api';

const BODY_BYTES_MAX = 16 * 1_024 * 1_024;
const HEADERS_TIMEOUT_MS = 30_000;
const CHATS_PATH = '/api/v1/chat/completions';
/** Told to whoever asked, of the gateway's headers. */
const PASSED_HEADERS = ['content-type', 'x-request-id', 'x-balance-remaining', 'x-service-rpc-credits', 'x-service-rpc-cost-usd', 'retry-after', 'x-should-retry'];
/** What goes to the gateway as it is. */
const PASSED_PATHS: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/models(\/[\w.:-]{1,200})?$/],
  ['POST', /^\/audio\/speech$/],
  ['POST', /^\/video\/(queue|retrieve|complete)$/],
  ['GET', /^\/billing\/(balance|usage)$/],
];

/**
 * What becomes of chats: verified, encrypted and signed; sent to an enclave that was verified, in a form that the
 * gateway can read; or sent as they are.
 */
export type Privacy = 'encrypted' | 'attested' | 'plain';

/** A call that was answered, for whoever watches. */
export interface ProxiedCall {
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string | null;
  balanceRemainingUsd: string | null;
  costUsd: string | null;
}

export interface ProxyOptions {
  customer: Turnpike;
  privacy: Privacy;
  privately: PrivateFetchOptions;
  token: string;
  /** 0 for any that is free. */
  port: number;
  onCall: (call: ProxiedCall) => void;
}

/** A proxy that listens. */
export interface RunningProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * Starts an endpoint on loopback for programs that know nothing of wallets: OpenAI's chats, models and speech,
 * OpenAI's Responses and Anthropic's Messages (translated here), and JSON-RPC. Calls are signed in and paid for by
 * the customer; chats go the way that `privacy` says.
 * @throws where the port is taken
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const chats = chatFetch(options);
  const server: Server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    const { port } = server.address() as AddressInfo;
    void new ProxiedRequest(request, response, options, chats).serve(port);
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function chatFetch({ customer, privacy, privately }: ProxyOptions): typeof fetch {
  if (privacy === 'encrypted') return createPrivateFetch(customer, privately);
  return privacy === 'attested' ? attestedFetch(customer, privately) : sdkFetch(customer.fetch);
}

/** The two forms that are translated, beside that of chats themselves. */
const TRANSLATIONS = {
  '/responses': { chatOf: chatOfResponsesRequest, answer: responsesAnswer, events: responsesEvents, failed: responsesFailure },
  '/messages': { chatOf: chatOfMessagesRequest, answer: messagesAnswer, events: messagesEvents, failed: messagesFailure },
} as const;

class ProxiedRequest {
  readonly #startedMs = performance.now();
  readonly #left = new AbortController();
  #path = '/';

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly options: ProxyOptions,
    private readonly chats: typeof fetch,
  ) {
    response.once('close', () => this.#left.abort());
  }

  async serve(port: number): Promise<void> {
    const admission = admit(this.request, { token: this.options.token, port });
    if ('status' in admission) {
      this.request.resume();
      return this.#refuse(admission.status, admission.message, admission.status === 401 ? 'invalid_api_key' : 'forbidden');
    }
    this.#path = admission.path.split('?', 1)[0] ?? '/';
    try {
      await this.#answer(admission.path);
    } catch (error) {
      if (this.#left.signal.aborted) return;
      if (this.response.headersSent) return void this.response.destroy();
      if (error instanceof Untranslatable) return this.#refuse(400, error.message, 'invalid_request_error', error.param);
      const answer = refusalResponse(turnpikeErrorOf(error));
      await this.#pass(answer);
    }
  }

  async #answer(fullPath: string): Promise<void> {
    const method = this.request.method ?? 'GET';
    const path = this.#path.replace(/^\/(api\/)?v1(?=\/|$)/, '');
    const query = fullPath.includes('?') ? fullPath.slice(fullPath.indexOf('?')) : '';
    const body = await readBody(this.request, BODY_BYTES_MAX);
    if (body === null) return this.#refuse(413, `A body of more than ${BODY_BYTES_MAX / 1_048_576} MiB is not taken.`, 'request_too_large');
    if (path === '/messages/count_tokens' && method === 'POST') return this.#refuse(404, 'Tokens are counted with the answer: see its usage.', 'not_found_error');
    if (method === 'POST' && Object.hasOwn(TRANSLATIONS, path)) return this.#translated(path as keyof typeof TRANSLATIONS, body);
    if (method === 'POST' && path === '/chat/completions') return this.#pass(await this.chats(CHATS_PATH, this.#init(body)));
    const network = /^\/(?:crypto\/)?rpc\/([a-z0-9-]{1,100})$/.exec(path)?.[1];
    if (network !== undefined && method === 'POST') return this.#pass(await this.options.customer.fetch(`/api/v1/crypto/rpc/${network}`, this.#init(body)));
    if (PASSED_PATHS.some(([verb, pattern]) => verb === method && pattern.test(path))) return this.#pass(await sdkFetch(this.options.customer.fetch)(`/api/v1${path}${query}`, method === 'GET' ? { method, signal: this.#left.signal } : this.#init(body)));
    return this.#refuse(404, `There is no ${method} ${this.#path} here. There are /v1/chat/completions, /v1/responses, /v1/messages, /v1/models, /v1/audio/speech and /rpc/NETWORK.`, 'not_found');
  }

  /** The answer of a chat, in the form in which it was asked for. */
  async #translated(path: keyof typeof TRANSLATIONS, body: Buffer): Promise<void> {
    const { chatOf, answer, events, failed } = TRANSLATIONS[path];
    const chat: ChatRequestBody = chatOf(parsed(body));
    const response = await this.chats(CHATS_PATH, this.#init(Buffer.from(JSON.stringify(chat))));
    if (!response.ok) return this.#pass(response);
    const pieces = readChatPieces(response);
    this.#head(200, chat.stream ? 'text/event-stream; charset=utf-8' : 'application/json', response.headers);
    if (!chat.stream) return this.#end(JSON.stringify(await answer(chat, pieces)), response.headers);
    try {
      for await (const event of events(chat, pieces)) await this.#write(eventText(event));
    } catch (error) {
      // The answer has begun, so that its end is the only place to say it.
      await this.#write(eventText(failed(turnpikeErrorOf(error).message)));
    }
    this.#end('', response.headers);
  }

  #init(body: Buffer): RequestInit {
    const headers = new Headers({ 'content-type': this.request.headers['content-type'] ?? 'application/json' });
    const key = this.request.headers['idempotency-key'];
    if (typeof key === 'string') headers.set('idempotency-key', key);
    return { method: 'POST', headers, body: new TextDecoder().decode(body), signal: this.#left.signal };
  }

  /** An answer as it is. */
  async #pass(answer: Response): Promise<void> {
    this.#head(answer.status, answer.headers.get('content-type') ?? 'application/json', answer.headers);
    if (!answer.ok) return this.#end(inSdkForm(await answer.text(), this.#path), answer.headers);
    if (answer.body !== null) for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) await this.#write(bytes);
    this.#end('', answer.headers);
  }

  #head(status: number, contentType: string, headers: Headers): void {
    this.response.statusCode = status;
    for (const name of PASSED_HEADERS) if (headers.has(name)) this.response.setHeader(name, headers.get(name) ?? '');
    this.response.setHeader('content-type', contentType);
    this.response.setHeader('cache-control', 'no-store');
  }

  async #write(part: string | Uint8Array): Promise<void> {
    if (this.response.write(part) || this.#left.signal.aborted) return;
    await once(this.response, 'drain', { signal: this.#left.signal });
  }

  #end(rest: string, headers: Headers): void {
    this.response.end(rest);
    this.#told(this.response.statusCode, headers);
  }

  #refuse(status: number, message: string, code: string, param: string | null = null): void {
    this.response.statusCode = status;
    this.response.setHeader('content-type', 'application/json');
    this.response.end(inSdkForm(JSON.stringify({ error: message, code, param }), this.#path));
    this.#told(status, new Headers());
  }

  #told(status: number, headers: Headers): void {
    this.options.onCall({
      method: this.request.method ?? 'GET',
      path: this.#path,
      status,
      durationMs: Math.round(performance.now() - this.#startedMs),
      requestId: headers.get('x-request-id'),
      balanceRemainingUsd: headers.get('x-balance-remaining'),
      costUsd: headers.get('x-service-rpc-cost-usd'),
    });
  }
}

/** An error of the gateway in the form that the caller's SDK reads; its code and hint stay beside. */
function inSdkForm(bodyText: string, path: string): string {
  try {
    const body = JSON.parse(bodyText) as Record<string, unknown>;
    if (typeof body['error'] !== 'string' || /\/rpc\//.test(path)) return bodyText;
    const { error: message, code = null, hint, param = null } = body;
    const type = path.endsWith('/messages') ? 'invalid_request_error' : (code ?? 'error');
    return JSON.stringify({ type: 'error', error: { message, type, code, param, ...(hint === undefined ? {} : { hint }) } });
  } catch {
    return bodyText;
  }
}

function responsesFailure(message: string): NamedEvent {
  return { event: 'error', data: { type: 'error', code: 'server_error', message, param: null, sequence_number: 0 } };
}

function messagesFailure(message: string): NamedEvent {
  return { event: 'error', data: { type: 'error', error: { type: 'api_error', message } } };
}

const eventText = ({ event, data }: NamedEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Untranslatable('The body is not JSON.');
  }
}

