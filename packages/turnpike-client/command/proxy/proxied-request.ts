import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundedText, errorText } from '@/lib/client/bounded-answer';
import { chunkReader, streamChunks } from '@/lib/client/stream-chunks';
import { usdOf } from '@/lib/client/usd-header';
import { apiPathOf } from '@/lib/protocol/api-path';
import { errorOf } from '@/lib/protocol/chat/answer-error';
import { completionEvents } from '@/lib/protocol/chat/completion-events';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { HEARTBEAT, Heartbeat } from '@/lib/protocol/event-stream/heartbeat';
import { parsedRecord } from '@/lib/protocol/json-record';
import {
  type AnswerEvents,
  type AnswerFailure,
  type AnswerHead,
  eventText,
  type NamedEvent,
  translatedEvents,
} from '@/lib/protocol/translation/answer-translation';
import { BrokenAnswers, conversationText } from '@/lib/protocol/translation/broken-answers';
import { PLAIN_TRANSLATION, record, Untranslatable } from '@/lib/protocol/translation/chat-turns';
import { collectPieces } from '@/lib/protocol/translation/collected-answer';
import { errorObject, streamedErrorObject, type ToldError } from '@/lib/protocol/translation/error-forms';
import { type TranslatedApi, TRANSLATIONS } from '@/lib/protocol/translation/translations';
import type { EncryptedEmbeddings } from '../../src/private-embeddings';
import { sdkFetch } from '../../src/sdk-fetch';
import type { Turnpike } from '../../src/turnpike';
import { tell } from '../../src/turnpike-event';
import { costOfRequest } from '../call-cost';
import { readChatPieces } from '../chat-pieces';
import { admit, readBody } from './incoming-request';
import { errorFormOf, failureResponse, readApiError, repetitionResponse, typedError, withOwnRemedy } from './api-error';
import { KeptItems } from './kept-items';
import { PicturedChats } from './pictured-chats';
import type { ProxiedCall } from './proxied-call';
import { wholeEvents } from './whole-events';

const BODY_BYTES_MAX = 16 * 1_024 * 1_024;
/** Maximum size of a body with an audio file: the gateway's default, plus room for other fields. */
const AUDIO_BYTES_MAX = 26 * 1_024 * 1_024;
const TRANSCRIPTIONS_PATH = '/audio/transcriptions';
const EVENT_BYTES_MAX = 64 * 1_024 * 1_024;
const WHOLE_ANSWER_TIMEOUT_MS = 180_000;
/** Number of characters at the start of an answer that show whether the answer is a stream. */
const BEGINNING_LENGTH = 1_000;
const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const ID_BYTES = 12;
const CHATS_PATH = '/api/v1/chat/completions';
const PASSED_HEADERS = [
  'content-type',
  'x-request-id',
  'x-balance-remaining',
  'x-service-rpc-credits',
  'x-service-rpc-cost-usd',
  'x-service-left-out',
  'retry-after',
  'x-should-retry',
];
const PASSED_PATHS: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/models(\/(?!(?:\.|%2e){1,2}$)[\w.:%~!*'()-]{1,600})?$/i],
  ['POST', /^\/audio\/speech$/],
  ['POST', /^\/audio\/transcriptions$/],
  ['POST', /^\/(images\/generations|image\/generate)$/],
  ['POST', /^\/video\/(queue|retrieve|complete)$/],
  ['GET', /^\/billing\/(balance|usage)$/],
];
const OFFERED =
  'It serves /v1/chat/completions, /v1/responses, /v1/messages, /v1/models, /v1/audio/speech, /v1/audio/transcriptions, /v1/embeddings, /v1/images/generations, /v1/image/generate, /v1/video/… and /rpc/NETWORK.';

const TRANSLATED: Readonly<Record<string, TranslatedApi>> = { '/responses': 'responses', '/messages': 'messages' };

export interface ProxiedRequestParts {
  customer: Turnpike;
  /** Fetch for chats. It verifies and encrypts as configured. */
  chats: typeof fetch;
  /** Encrypts embeddings if their model accepts encrypted requests. */
  embeddings?: EncryptedEmbeddings | null;
  pictured?: PicturedChats;
  /** Requests whose streamed answers were interrupted. By default, a new empty list. */
  broken?: BrokenAnswers;
  kept?: KeptItems;
  /** Model that replaces the requested model; null to keep the requested model. */
  model: string | null;
  token: string;
  onCall: (call: ProxiedCall) => void;
}

export class ProxiedRequest {
  readonly #startedMs = performance.now();
  readonly #left = new AbortController();
  #path = '/';
  #headers = new Headers();
  #problem: string | null = null;
  #events: AnswerEvents | null = null;
  readonly #leftOut: string[] = [];
  readonly #pictured: PicturedChats;
  readonly #broken: BrokenAnswers;
  #fingerprint: (() => string) | null = null;
  readonly #heartbeat: Heartbeat;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly parts: ProxiedRequestParts,
  ) {
    this.#heartbeat = new Heartbeat(() => response.write(HEARTBEAT));
    response.once('close', () => {
      this.#heartbeat.stop();
      this.#left.abort();
    });
    this.#pictured = parts.pictured ?? new PicturedChats(parts.customer, parts.chats);
    this.#broken = parts.broken ?? new BrokenAnswers();
  }

  /** Answers the request and reports the call. Never rejects. @param port port that received the request */
  async serve(port: number): Promise<void> {
    try {
      await this.#admitted(port);
    } catch (error) {
      await this.#failed(error).catch(() => this.response.destroy());
    }
    await this.#told();
  }

  async #admitted(port: number): Promise<void> {
    const admission = admit(this.request, { token: this.parts.token, port });
    if ('status' in admission) {
      this.#path = (this.request.url ?? '/').split('?', 1)[0] ?? '/';
      this.request.resume();
      return this.#refuse(admission.status, {
        message: admission.message,
        code: admission.status === 401 ? 'PROXY_TOKEN' : 'PROXY_ORIGIN',
      });
    }
    this.#path = admission.path.split('?', 1)[0] ?? '/';
    await this.#answer(admission.path);
  }

  async #answer(fullPath: string): Promise<void> {
    const method = this.request.method ?? 'GET';
    const { path } = apiPathOf(this.#path);
    const query = fullPath.slice(this.#path.length);
    const isForm = method === 'POST' && path === TRANSCRIPTIONS_PATH;
    const bytesMax = isForm ? AUDIO_BYTES_MAX : BODY_BYTES_MAX;
    const body = await readBody(this.request, bytesMax);
    if (body === null)
      return this.#refuse(413, {
        message: `The body is larger than ${bytesMax / 1_048_576} MiB, the maximum.`,
        code: 'BODY_TOO_LARGE',
      });
    if (path === '/' && (method === 'HEAD' || method === 'GET')) return this.#json('{}');
    if (method === 'POST' && path === '/messages/count_tokens') return this.#countTokens(body);
    const api = Object.hasOwn(TRANSLATED, path) ? TRANSLATED[path] : undefined;
    if (method === 'POST' && api !== undefined) return this.#translated(api, body);
    if (method === 'POST' && path === '/chat/completions')
      return this.#passChat(await this.#sendChat(this.#chat(body)), record(parsed(body)));
    if (method === 'POST' && path === '/embeddings') return this.#pass(await this.#embedded(body.toString('utf8')));
    const network = /^\/(?:crypto\/)?rpc\/([a-z0-9-]{1,100})$/.exec(path)?.[1];
    if (network !== undefined && method === 'POST')
      return this.#pass(
        await this.parts.customer.fetch(`/api/v1/crypto/rpc/${network}`, this.#init(body.toString('utf8'))),
      );
    if (!PASSED_PATHS.some(([verb, pattern]) => verb === method && pattern.test(path)))
      return this.#refuse(404, {
        message: `The proxy does not serve ${method} ${this.#path}. ${OFFERED}`,
        code: 'NOT_FOUND',
      });
    const init =
      method === 'GET'
        ? { method, signal: this.#left.signal }
        : isForm
          ? this.#init(Uint8Array.from(body), this.request.headers['content-type'])
          : this.#init(body.toString('utf8'));
    return this.#pass(await sdkFetch(this.parts.customer.fetch)(`/api/v1${path}${query}`, init));
  }

  async #embedded(bodyText: string): Promise<Response> {
    const { embeddings = null, customer } = this.parts;
    const { signal } = this.#left;
    if (await embeddings?.accepts(bodyText, signal)) return (embeddings as EncryptedEmbeddings).send(bodyText, signal);
    return sdkFetch(customer.fetch)('/api/v1/embeddings', this.#init(bodyText));
  }

  #chat(body: Buffer): string {
    const value = parsed(body);
    return this.parts.model === null
      ? body.toString('utf8')
      : JSON.stringify({ ...record(value), model: this.parts.model });
  }

  /** Sends a chat, without the attachments that its model refuses. */
  async #sendChat(bodyText: string): Promise<Response> {
    const sees = await this.#pictured.sees(record(JSON.parse(bodyText))['model'], bodyText);
    const text = sees === false ? this.#pictured.withoutAny(bodyText) : null;
    if (text !== null) this.#leftOut.push('images or files, which the model does not accept');
    return this.#pictured.send(CHATS_PATH, this.#init(text ?? bodyText), {
      isForgiving: sees !== true,
      leaveOut: (what) => this.#leftOut.push(what),
    });
  }

  async #translated(api: TranslatedApi, body: Buffer): Promise<void> {
    const { chatOf, answerOf, eventsOf } = TRANSLATIONS[api];
    const { model } = this.parts;
    const request = parsed(body);
    const leftOut = this.#leftOut;
    const leaveOut = (what: string): void => void leftOut.push(what);
    const sees = await this.#pictured.sees(model ?? record(request)['model'], body.toString('utf8'));
    const { kept = new KeptItems() } = this.parts;
    const asked = chatOf(request, {
      ...PLAIN_TRANSLATION,
      itemOf: (id) => kept.find(id),
      canSee: sees !== false,
      takesFiles: sees === true,
      leaveOut,
    });
    const chat = model === null ? asked : { ...asked, model };
    this.#fingerprint = () =>
      createHash('sha256')
        .update(conversationText(record(request)))
        .digest('hex');
    if (!chat.stream && this.#broken.isRepeated(this.#fingerprint)) return this.#pass(repetitionResponse());
    const response = await this.#pictured.send(CHATS_PATH, this.#init(JSON.stringify(chat)), {
      isForgiving: true,
      leaveOut,
    });
    if (!response.ok) return this.#pass(response);
    this.#headers = response.headers;
    this.#noteLeftOut();
    const head: AnswerHead = {
      id: randomBytes(ID_BYTES).toString('hex'),
      createdAtSeconds: Math.floor(Date.now() / 1_000),
      request: record(request),
      chat,
      leftOut,
    };
    if (!chat.stream) {
      const answer = answerOf(head, await collectPieces(readChatPieces(response)));
      if (record(request)['store'] !== false) kept.keep(answer);
      return this.#json(JSON.stringify(answer));
    }
    this.#events = eventsOf(head);
    this.#head(200, EVENT_STREAM);
    for await (const event of translatedEvents(this.#events, readChatPieces(response))) {
      if (record(request)['store'] !== false) kept.keep(record(event.data)['response']);
      await this.#write(eventText(event));
    }
    this.response.end();
  }

  /** Estimates tokens in the same way as the gateway, without a request to the gateway. */
  #countTokens(body: Buffer): void {
    const chat = TRANSLATIONS.messages.chatOf(parsed(body), PLAIN_TRANSLATION);
    this.#json(JSON.stringify({ input_tokens: estimatePromptTokens(chat as unknown as ChatRequest) }));
  }

  #json(text: string): void {
    this.#head(200, 'application/json');
    this.response.end(text);
  }

  #noteLeftOut(): void {
    const kinds = this.#headers.get('x-service-left-out');
    if (kinds !== null) this.#leftOut.push(`${kinds}, which the model does not accept`);
  }

  #init<Body extends string | Uint8Array<ArrayBuffer>>(
    body: Body,
    contentType = 'application/json',
  ): RequestInit & { body: Body } {
    const headers = new Headers({ 'content-type': contentType });
    const key = this.request.headers['idempotency-key'];
    if (typeof key === 'string') headers.set('idempotency-key', key);
    return { method: 'POST', headers, body, signal: this.#left.signal };
  }

  /**
   * Relays a chat answer. If the program requested a stream but the server sent a whole answer, converts it to a
   * stream.
   */
  async #passChat(answer: Response, { stream, stream_options: options }: Record<string, unknown>): Promise<void> {
    if (stream !== true || !answer.ok || isEventStream(answer.headers.get('content-type'))) return this.#pass(answer);
    const text = await boundedText(answer, EVENT_BYTES_MAX, WHOLE_ANSWER_TIMEOUT_MS);
    const completion = parsedRecord(text);
    const isCompletion = completion !== null && Array.isArray(completion['choices']) && errorOf(completion) === null;
    const events = isCompletion
      ? completionEvents(completion, { withUsage: record(options)['include_usage'] === true })
      : text;
    const headers = new Headers(answer.headers);
    if (isCompletion || bodyFormOf(null, new TextEncoder().encode(text.slice(0, BEGINNING_LENGTH))) === 'events')
      headers.set('content-type', EVENT_STREAM);
    return this.#pass(new Response(events, { status: answer.status, headers }));
  }

  /** Relays an answer; converts a refusal to the format of the caller's API. */
  async #pass(answer: Response): Promise<void> {
    this.#headers = answer.headers;
    this.#noteLeftOut();
    if (!answer.ok) {
      const error = readApiError(await errorText(answer));
      return this.#refuse(
        answer.status,
        error === null
          ? { message: `The gateway answered with HTTP status ${answer.status} and no error message.`, code: null }
          : withOwnRemedy(error),
      );
    }
    const contentType = answer.headers.get('content-type');
    this.#head(
      answer.status,
      isEventStream(contentType) ? (contentType ?? '').toLowerCase() : (contentType ?? 'application/json'),
    );
    const reader = answer.body?.getReader();
    const onError = (sentence: string): void => void (this.#problem = sentence);
    if (reader)
      for await (const bytes of isEventStream(contentType)
        ? wholeEvents(reader, onError)
        : streamChunks(chunkReader(reader), () => false))
        await this.#write(bytes);
    this.response.end();
  }

  /** Reports a failure as the answer, or as the last event of a stream that has begun. */
  async #failed(error: unknown): Promise<void> {
    if (this.#left.signal.aborted) {
      this.#problem = 'The program closed the connection before the answer ended.';
      return;
    }
    if (!this.response.headersSent) {
      if (error instanceof Untranslatable)
        return this.#refuse(400, { message: error.message, code: error.code, param: error.param });
      return this.#pass(failureResponse(error));
    }
    const { message, code, remedy } = typedError(error);
    this.#problem = message.includes(remedy) ? message : `${message} ${remedy}`;
    if (this.#fingerprint !== null) this.#broken.note(this.#fingerprint());
    if (isEventStream(String(this.response.getHeader('content-type'))))
      this.response.end(this.#failureEvents({ message: this.#problem, code }).map(eventText).join(''));
    else this.response.destroy();
  }

  #failureEvents(failure: AnswerFailure): NamedEvent[] {
    return this.#events?.fail(failure) ?? [{ event: null, data: streamedErrorObject(failure) }];
  }

  #refuse(status: number, error: ToldError): void {
    this.#problem = error.message;
    this.#head(status, 'application/json');
    this.response.end(JSON.stringify(errorObject(error, status, errorFormOf(this.#path))));
  }

  #head(status: number, contentType: string): void {
    this.response.statusCode = status;
    for (const name of PASSED_HEADERS)
      if (this.#headers.has(name)) this.response.setHeader(name, this.#headers.get(name) ?? '');
    const requestId = this.#headers.get('x-request-id');
    // Anthropic's SDKs read this header.
    if (requestId !== null) this.response.setHeader('request-id', requestId);
    this.response.setHeader('content-type', contentType);
    if (isEventStream(contentType)) this.#heartbeat.start();
    this.response.setHeader('cache-control', 'no-store');
  }

  async #write(part: string | Uint8Array): Promise<void> {
    this.#left.signal.throwIfAborted();
    if (part.length === 0) return;
    this.#heartbeat.beat();
    if (!this.response.write(part)) await once(this.response, 'drain', { signal: this.#left.signal });
  }

  async #told(): Promise<void> {
    const durationMs = Math.round(performance.now() - this.#startedMs);
    const { statusCode: status, headersSent } = this.response;
    // The last bytes may still be on their way. Only the `close` event shows whether the program received them.
    if (!this.response.closed) await new Promise((resolve) => this.response.once('close', resolve));
    const problem =
      this.#problem ??
      (this.response.writableFinished ? null : 'The program closed the connection before the answer ended.');
    const requestId = this.#headers.get('x-request-id');
    const [balanceRemainingUsd, rpcCostUsd] = [
      usdOf(this.#headers, 'x-balance-remaining'),
      usdOf(this.#headers, 'x-service-rpc-cost-usd'),
    ];
    // Refused requests and GET requests cost nothing.
    const mayCost = requestId !== null && headersSent && status < 300 && this.request.method === 'POST';
    const costUsd = rpcCostUsd ?? (mayCost ? await costOfRequest(this.parts.customer, requestId) : null);
    tell(this.parts.onCall, {
      method: this.request.method ?? 'GET',
      path: this.#path,
      status,
      durationMs,
      requestId,
      balanceRemainingUsd,
      costUsd,
      problem,
      leftOut: this.#leftOut,
    });
  }
}

function parsed(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is refused in the same way as JSON that is not an object.
  }
  throw new Untranslatable('The body is not a JSON object.');
}
