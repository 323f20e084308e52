import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';
import { errorText } from '../bounded-body';
import { credentialHeaders, parseBaseUrl } from '../exchange';
import { readGatewayError, UnreachableError } from '../gateway-error';
import { type ChatChunk, readChatChunk } from './chat-chunk';
import type { ChatEvent, SentRequest } from './chat-event';
import { type Connection, connectionNow } from './connection';
import { EventReader } from './event-stream';
import { PrivateChatError } from './private-chat-error';

const DEFAULT_TIMEOUTS: ReplyTimeouts = { firstByteMs: 180_000, idleMs: 120_000 };
const REPLY_BYTES_MAX = 64 * 1024 * 1024;
const EVENT_STREAM = /^text\/event-stream\b/i;
const DONE = '[DONE]';

/** How long a reply may take to begin, and to go on. */
export interface ReplyTimeouts {
  firstByteMs: number;
  idleMs: number;
}

/** A chat request that is ready to go out. */
export interface CompletionRequest {
  connection: Connection;
  /** The body, which must ask for a stream. */
  bodyText: string;
  /** Beside the credential and the content type. */
  headers: Readonly<Record<string, string>>;
  isEncrypted: boolean;
  /** Makes text of a content as it came. @throws {PrivateChatError} for content that must not be shown */
  open: (content: string) => string;
  signal?: AbortSignal | undefined;
  /** Three and two minutes unless given. */
  timeouts?: ReplyTimeouts | undefined;
}

/**
 * Sends a chat and reads its stream to the end. A stream that is not whole, not of the known form, or that `open`
 * refuses ends with an error and not with `done`; leaving the iteration ends the request.
 * @throws {GatewayError | UnreachableError | PrivateChatError}
 */
export async function* streamCompletion(request: CompletionRequest): AsyncGenerator<ChatEvent, void, undefined> {
  const call = new StreamedCall(request);
  try {
    yield { type: 'sent', request: call.sent };
    const response = await call.begin();
    const { requestId, balanceRemainingUsd } = headersOf(response);
    yield { type: 'began', requestId, balanceRemainingUsd };
    const reply = new Reply(request);
    for await (const bytes of call.parts(response)) {
      for (const event of reply.push(bytes)) {
        call.mustGoOn();
        yield event;
      }
    }
    for (const event of reply.end()) yield event;
    call.mustGoOn();
    yield { type: 'done', answer: { ...reply.answer(), requestId, balanceRemainingUsd, totalMs: Date.now() - call.sent.sentAtMs, sent: call.sent } };
  } finally {
    call.leave();
  }
}

/** The HTTP of a streamed chat: time limits, and one way to end it. */
class StreamedCall {
  readonly sent: SentRequest;
  readonly #body: Uint8Array;
  readonly #abort = new AbortController();
  readonly #timeouts: ReplyTimeouts;
  #hasTimedOut = false;

  constructor(private readonly request: CompletionRequest) {
    const { bodyText, headers, isEncrypted } = request;
    this.#body = utf8ToBytes(bodyText);
    this.#timeouts = request.timeouts ?? DEFAULT_TIMEOUTS;
    this.sent = { bodyText, headers, isEncrypted, hash: bytesToHex(sha256(this.#body)), sentAtMs: Date.now() };
  }

  /** Resolves with an answer of 200 that is an event stream. */
  async begin(): Promise<Response> {
    const { headers: own, signal, connection } = this.request;
    const options = connectionNow(connection);
    const headers = credentialHeaders(options);
    headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const signals = [this.#abort.signal, ...(signal ? [signal] : [])];
    const init: RequestInit = { method: 'POST', headers, body: this.#body as BodyInit, signal: AbortSignal.any(signals) };
    const startedMs = performance.now();
    const url = `${parseBaseUrl(options.baseUrl)}/api/v1/chat/completions`;
    const response = await this.#inTime((options.fetch ?? fetch)(url, init), this.#timeouts.firstByteMs);
    if (!response.ok) throw readGatewayError(response, await this.#inTime(errorText(response), this.#timeouts.idleMs), performance.now() - startedMs);
    const contentType = response.headers.get('content-type') ?? 'none';
    if (!EVENT_STREAM.test(contentType)) throw new PrivateChatError('REPLY_NOT_A_STREAM', `Its content type is ${contentType}.`);
    return response;
  }

  /** The parts of the body as they come. */
  async *parts(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader();
    if (!reader) return;
    for (;;) {
      const { done, value } = await this.#inTime(reader.read(), this.#timeouts.idleMs, true);
      if (done) return;
      yield value;
    }
  }

  /** Many events can come in one part: whoever has given up sees no more of them. @throws {UnreachableError} */
  mustGoOn(): void {
    if (this.request.signal?.aborted) throw this.#failure(this.request.signal.reason, true);
  }

  leave(): void {
    this.#abort.abort();
  }

  async #inTime<T>(step: Promise<T>, timeoutMs: number, hasBegun = false): Promise<T> {
    const timer = setTimeout(() => {
      this.#hasTimedOut = true;
      this.#abort.abort();
    }, timeoutMs);
    try {
      return await step;
    } catch (cause) {
      throw this.#failure(cause, hasBegun);
    } finally {
      clearTimeout(timer);
    }
  }

  #failure(cause: unknown, hasBegun: boolean): Error {
    const isAborted = this.request.signal?.aborted === true;
    if (!isAborted && this.#hasTimedOut) return new PrivateChatError('REPLY_TIMEOUT', null, null, { cause });
    if (!isAborted && hasBegun) return new PrivateChatError('REPLY_CUT', 'The connection ended.', null, { cause });
    return new UnreachableError(connectionNow(this.request.connection).baseUrl, isAborted, { cause });
  }
}

/** What has come of a reply so far. */
class Reply {
  readonly #events = new EventReader();
  readonly #hash = new ExchangeHash();
  readonly #parts: Uint8Array[] = [];
  readonly #startedMs = Date.now();
  #bytes = 0;
  #isDone = false;
  #texts = { answer: '', reasoning: '' };
  #firstTextMs: number | null = null;
  #completionId: string | null = null;
  #finishReason: string | null = null;
  #usage: TokenUsage | null = null;

  constructor(private readonly request: CompletionRequest) {}

  *push(bytes: Uint8Array): Generator<ChatEvent> {
    this.#bytes += bytes.length;
    if (this.#bytes > REPLY_BYTES_MAX) throw new PrivateChatError('REPLY_TOO_LONG');
    this.#hash.update(bytes);
    this.#parts.push(bytes);
    for (const data of this.#events.push(bytes)) yield* this.#event(data);
  }

  *end(): Generator<ChatEvent> {
    for (const data of this.#events.end()) yield* this.#event(data);
    if (!this.#isDone) throw new PrivateChatError('REPLY_CUT', 'It ended without [DONE].');
  }

  answer() {
    const bytes = () => concatBytes(...this.#parts);
    return {
      completionId: this.#completionId,
      text: this.#texts.answer,
      reasoning: this.#texts.reasoning,
      finishReason: this.#finishReason,
      usage: this.#usage,
      firstTextMs: this.#firstTextMs,
      received: { bytes, text: () => new TextDecoder().decode(bytes()), hash: this.#hash.hex() },
    };
  }

  *#event(data: string): Generator<ChatEvent> {
    if (this.#isDone) throw new PrivateChatError('REPLY_MALFORMED', 'It goes on after [DONE].');
    if (data === DONE) {
      this.#isDone = true;
      return;
    }
    const chunk = readChatChunk(data);
    this.#note(chunk);
    yield* this.#text('reasoning', chunk.reasoning);
    yield* this.#text('answer', chunk.content);
    // Opened as well: what is not shown must not be a way to speak in the enclave's name either.
    if (chunk.other !== null) this.request.open(chunk.other);
    if (chunk.usage) yield { type: 'usage', usage: chunk.usage };
  }

  #note({ id, finishReason, usage }: ChatChunk): void {
    if (id !== null && this.#completionId !== null && id !== this.#completionId) throw new PrivateChatError('REPLY_MALFORMED', 'Its events are of more than one completion.');
    this.#completionId ??= id;
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#usage = usage ?? this.#usage;
  }

  *#text(kind: 'answer' | 'reasoning', content: string | null): Generator<ChatEvent> {
    const text = content === null ? '' : this.request.open(content);
    if (text === '') return;
    this.#firstTextMs ??= Date.now() - this.#startedMs;
    this.#texts[kind] += text;
    yield { type: 'delta', kind, text };
  }
}

function headersOf({ headers }: Response) {
  return { requestId: headers.get('x-request-id'), balanceRemainingUsd: headers.get('x-balance-remaining') };
}
