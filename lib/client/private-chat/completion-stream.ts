import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { isDone } from '@/lib/protocol/chat/event-mark';
import type { TokenUsage } from '@/lib/protocol/chat/token-usage';
import { type BodyForm, bodyFormOf } from '@/lib/protocol/event-stream/body-form';
import { isEventStream } from '@/lib/protocol/event-stream/event-stream-reader';
import { GrowingBytes } from '@/lib/protocol/growing-bytes';
import { ExchangeHash } from '@/lib/protocol/tee/response-signature';
import { ERROR_BODY_BYTES_MAX, errorText } from '@/lib/client/bounded-answer';
import { credentialHeaders, parseBaseUrl } from '../exchange';
import { readGatewayError, UnreachableError } from '../gateway-error';
import { chunkReader, streamChunks } from '../stream-chunks';
import {
  type ChatChunk,
  type OpenedFields,
  openFurtherFields,
  readChatChunk,
  refusalSentence,
  type TokenLogprob,
} from './chat-chunk';
import type { ChatEvent, SentRequest } from './chat-event';
import { type Connection, connectionNow } from './connection';
import { EventReader } from './event-stream';
import { PrivateChatError } from './private-chat-error';

const DEFAULT_TIMEOUTS: ReplyTimeouts = { firstByteMs: 180_000, idleMs: 120_000 };
const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** Timeouts before the reply begins, and between its chunks. */
export interface ReplyTimeouts {
  firstByteMs: number;
  idleMs: number;
}

/** Decrypts a body as it arrives. After an error, no more text may be shown. */
export interface BodyOpener {
  /**
   * @returns plaintext of frames that end within these bytes
   * @throws {PrivateChatError}
   */
  push: (bytes: Uint8Array) => readonly Uint8Array[];
  /**
   * @returns plaintext that remained at the body's end
   * @throws {PrivateChatError} REPLY_CUT if the body ends within a frame
   */
  end: () => readonly Uint8Array[];
}

export interface CompletionRequest {
  connection: Connection;
  /** Request body with `stream: true`. Hex if the whole body is encrypted. */
  bodyText: string;
  /** Bytes of the body if it is not text. */
  body?: Uint8Array;
  /** Headers besides credential and content type. */
  headers: Readonly<Record<string, string>>;
  isEncrypted: boolean;
  /**
   * Decrypts one received text.
   *
   * @throws {PrivateChatError} if the text must not be shown
   */
  open: (content: string) => string;
  /**
   * Creates the decryptor of a wholly encrypted answer.
   *
   * @param header returns a response header's value
   * @throws {PrivateChatError} REPLY_NOT_ENCRYPTED if the headers announce no encryption
   */
  openBody?: (header: (name: string) => string | null) => BodyOpener;
  /** True if `[DONE]` is unauthenticated. An answer is then complete only with a finish reason. */
  endsInTheClear?: boolean;
  signal?: AbortSignal | undefined;
  /** Default: 3 minutes to the first byte, 2 minutes between chunks. */
  timeouts?: ReplyTimeouts | undefined;
}

/**
 * Sends a chat and reads its stream to the end. The stream is complete only if it ends with `done`. Ending the
 * iteration early cancels the request.
 *
 * @throws {GatewayError | UnreachableError | PrivateChatError}
 */
export async function* streamCompletion(request: CompletionRequest): AsyncGenerator<ChatEvent, void, undefined> {
  const call = new StreamedCall(request);
  try {
    yield { type: 'sent', request: call.sent };
    const response = await call.begin();
    const { requestId, balanceRemainingUsd } = headersOf(response);
    yield { type: 'began', requestId, balanceRemainingUsd };
    const reply = new Reply(request, call.openerOf(response), response.headers.get('content-type'));
    for await (const bytes of call.parts(response, () => reply.isDone)) {
      for (const event of reply.push(bytes)) {
        call.mustGoOn();
        yield event;
      }
    }
    for (const event of reply.end()) yield event;
    call.mustGoOn();
    yield {
      type: 'done',
      answer: {
        ...reply.answer(),
        requestId,
        balanceRemainingUsd,
        totalMs: Date.now() - call.sent.sentAtMs,
        sent: call.sent,
      },
    };
  } finally {
    call.leave();
  }
}

class StreamedCall {
  readonly sent: SentRequest;
  readonly #body: Uint8Array;
  readonly #abort = new AbortController();
  readonly #timeouts: ReplyTimeouts;
  #hasTimedOut = false;

  constructor(private readonly request: CompletionRequest) {
    const { bodyText, body, headers, isEncrypted } = request;
    this.#body = body ?? utf8ToBytes(bodyText);
    this.#timeouts = request.timeouts ?? DEFAULT_TIMEOUTS;
    this.sent = {
      bodyText,
      isHex: body !== undefined,
      headers,
      isEncrypted,
      hash: bytesToHex(sha256(this.#body)),
      sentAtMs: Date.now(),
    };
  }

  async begin(): Promise<Response> {
    const { headers: own, signal, connection } = this.request;
    const options = connectionNow(connection);
    const headers = credentialHeaders(options);
    headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const signals = [this.#abort.signal, ...(signal ? [signal] : [])];
    const init: RequestInit = {
      method: 'POST',
      headers,
      body: this.#body as BodyInit,
      redirect: 'error',
      signal: AbortSignal.any(signals),
    };
    const startedMs = performance.now();
    const url = `${parseBaseUrl(options.baseUrl)}/api/v1/chat/completions`;
    const response = await this.#inTime((options.fetch ?? fetch)(url, init), this.#timeouts.firstByteMs);
    if (!response.ok) throw await this.#refusal(response, startedMs);
    const contentType = response.headers.get('content-type');
    // Enclaves answer encrypted requests only with a stream.
    if (this.request.isEncrypted && !isEventStream(contentType)) throw notAStream(contentType);
    return response;
  }

  /** @throws {PrivateChatError} */
  openerOf({ headers }: Response): BodyOpener | null {
    return this.request.openBody?.((name) => headers.get(name)) ?? null;
  }

  /**
   * Returns the error for a refused request. A plaintext refusal comes from the gateway; a refusal that decrypts comes
   * from the enclave.
   */
  async #refusal(response: Response, startedMs: number): Promise<Error> {
    const opener = unlessInTheClear(() => this.openerOf(response));
    if (opener === null)
      return readGatewayError(
        response,
        await this.#inTime(errorText(response), this.#timeouts.idleMs),
        performance.now() - startedMs,
      );
    const text = await this.#inTime(openedText(response, opener), this.#timeouts.idleMs, true);
    return new PrivateChatError('REPLY_ERROR', refusalSentence(text));
  }

  async *parts(response: Response, isOver: () => boolean): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader();
    if (!reader) return;
    const next = chunkReader(reader);
    yield* streamChunks(() => this.#inTime(next(), this.#timeouts.idleMs, true), isOver);
  }

  /**
   * Throws if the caller aborted. Called before each event, because one chunk can contain several events.
   *
   * @throws {UnreachableError}
   */
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
    if (cause instanceof PrivateChatError) return cause;
    const isAborted = this.request.signal?.aborted === true;
    if (!isAborted && this.#hasTimedOut) return new PrivateChatError('REPLY_TIMEOUT', null, null, { cause });
    if (!isAborted && hasBegun) return new PrivateChatError('REPLY_CUT', 'The connection ended.', null, { cause });
    return new UnreachableError(connectionNow(this.request.connection).baseUrl, isAborted, { cause });
  }
}

class Reply {
  readonly #events = new EventReader();
  readonly #hash = new ExchangeHash();
  readonly #received = new GrowingBytes();
  readonly #startedMs = Date.now();
  isDone = false;
  #form: BodyForm | null = null;
  readonly #whole = new GrowingBytes();
  #texts = { answer: '', reasoning: '' };
  #firstTextMs: number | null = null;
  #completionId: string | null = null;
  #finishReason: string | null = null;
  #usage: TokenUsage | null = null;
  #refusal = '';
  readonly #logprobs: TokenLogprob[] = [];

  constructor(
    private readonly request: CompletionRequest,
    private readonly opener: BodyOpener | null,
    private readonly contentType: string | null,
  ) {}

  *push(bytes: Uint8Array): Generator<ChatEvent> {
    if (this.#received.length + bytes.length > REPLY_BYTES_MAX) throw new PrivateChatError('REPLY_TOO_LONG');
    this.#hash.update(bytes);
    this.#received.append(bytes);
    for (const plain of this.opener?.push(bytes) ?? [bytes]) yield* this.#plain(plain);
  }

  *end(): Generator<ChatEvent> {
    for (const plain of this.opener?.end() ?? []) yield* this.#plain(plain);
    if (this.#form === 'whole')
      yield* this.#chunk(readChatChunk(new TextDecoder().decode(this.#whole.bytes), { member: 'message' }));
    else if (!this.isDone) for (const data of this.#events.end()) yield* this.#event(data);
    if (this.#form === null && !isEventStream(this.contentType)) throw notAStream(this.contentType);
    // An encrypted reply is incomplete without `[DONE]`.
    if (!this.isDone && (this.request.isEncrypted || this.#finishReason === null))
      throw new PrivateChatError('REPLY_CUT', 'The reply ended without [DONE].');
    if (this.request.endsInTheClear && this.#finishReason === null)
      throw new PrivateChatError('REPLY_CUT', 'The reply ended without a finish reason from the enclave.');
  }

  answer() {
    const bytes = () => this.#received.bytes.slice();
    // If `[DONE]` is plaintext, the body is text, because only the data in its events is encrypted.
    const isHex = this.opener !== null && this.request.endsInTheClear !== true;
    return {
      completionId: this.#completionId,
      text: this.#texts.answer,
      reasoning: this.#texts.reasoning,
      finishReason: this.#finishReason,
      usage: this.#usage,
      ...(this.#refusal !== '' && { refusal: this.#refusal }),
      ...(this.#logprobs.length > 0 && { logprobs: this.#logprobs }),
      firstTextMs: this.#firstTextMs,
      received: {
        bytes,
        text: () => (isHex ? bytesToHex(bytes()) : new TextDecoder().decode(bytes())),
        isHex,
        hash: this.#hash.hex(),
      },
    };
  }

  *#plain(bytes: Uint8Array): Generator<ChatEvent> {
    this.#form ??= bodyFormOf(this.contentType, bytes);
    if (this.#form === 'whole' && this.request.isEncrypted) throw notAStream(this.contentType);
    if (this.#form !== 'whole') for (const data of this.#events.push(bytes)) yield* this.#event(data);
    else {
      if (this.#whole.length === 0 && !new TextDecoder().decode(bytes).trimStart().startsWith('{'))
        throw notAStream(this.contentType);
      this.#whole.append(bytes);
    }
  }

  *#event(data: string): Generator<ChatEvent> {
    const { isEncrypted: isStrict } = this.request;
    if (this.isDone && isStrict) throw goesOn();
    if (isDone(data)) this.isDone = true;
    else if (this.isDone) yield* this.#late(readChatChunk(data));
    else yield* this.#chunk(readChatChunk(data, { isStrict }));
  }

  *#late(chunk: ChatChunk): Generator<ChatEvent> {
    if (chunk.content !== null || chunk.reasoning !== null || chunk.other !== null) throw goesOn();
    yield* this.#chunk(chunk);
  }

  *#chunk(chunk: ChatChunk): Generator<ChatEvent> {
    if (this.request.endsInTheClear && this.#finishReason !== null && (chunk.content || chunk.reasoning))
      throw new PrivateChatError('REPLY_MALFORMED', 'The reply continues after its end.');
    this.#note(chunk);
    yield* this.#text('reasoning', chunk.reasoning);
    yield* this.#text('answer', chunk.content);
    if (chunk.other !== null) this.#noteFurther(openFurtherFields(chunk.other, (text) => this.request.open(text)));
    if (chunk.usage) yield { type: 'usage', usage: chunk.usage };
  }

  #note({ id, finishReason, usage }: ChatChunk): void {
    if (this.request.isEncrypted && id !== null && this.#completionId !== null && id !== this.#completionId)
      throw new PrivateChatError('REPLY_MALFORMED', 'The events of the reply belong to more than one completion.');
    this.#completionId ??= id;
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#usage = usage ?? this.#usage;
  }

  #noteFurther({ refusal, logprobs }: OpenedFields): void {
    this.#refusal += refusal;
    this.#logprobs.push(...logprobs);
  }

  *#text(kind: 'answer' | 'reasoning', content: string | null): Generator<ChatEvent> {
    const text = content === null ? '' : this.request.open(content);
    if (text === '') return;
    this.#firstTextMs ??= Date.now() - this.#startedMs;
    this.#texts[kind] += text;
    yield { type: 'delta', kind, text };
  }
}

function notAStream(contentType: string | null): PrivateChatError {
  return new PrivateChatError('REPLY_NOT_A_STREAM', `The content type of the reply is ${contentType ?? 'missing'}.`);
}

function goesOn(): PrivateChatError {
  return new PrivateChatError('REPLY_MALFORMED', 'The reply continues after [DONE].');
}

function unlessInTheClear<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof PrivateChatError && error.code === 'REPLY_NOT_ENCRYPTED') return null;
    throw error;
  }
}

async function openedText({ body }: Response, opener: BodyOpener): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > ERROR_BODY_BYTES_MAX) throw new PrivateChatError('REPLY_TOO_LONG');
    for (const plain of opener.push(part.value)) text += decoder.decode(plain, { stream: true });
  }
  for (const plain of opener.end()) text += decoder.decode(plain, { stream: true });
  return text;
}

function headersOf({ headers }: Response) {
  return { requestId: headers.get('x-request-id'), balanceRemainingUsd: headers.get('x-balance-remaining') };
}
