import { errorOf, statusOfError } from '@/lib/protocol/chat/answer-error';
import type { EventMark } from '@/lib/protocol/chat/event-mark';
import { readNativeUsage } from '@/lib/protocol/chat/native-usage';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import type { StreamAccount, WholeEvents } from '@/lib/protocol/chat/stream-account';
import { estimateTokens, isMiscounted, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { dataOf } from '@/lib/protocol/event-stream/event-stream-reader';
import { type StreamPart, StreamSplitter } from '@/lib/protocol/event-stream/stream-splitter';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { TranslatedApi } from '@/lib/protocol/translation/translations';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';
import { answerTokensMax } from '../chat-budget';
import type { CheckedChat } from '../paid-chat';
import { isSuccess, type WholeAnswer } from '../whole-answer';

const EVENT_BYTES_MAX = 32 * 1_024 * 1_024;
/** Maximum average bytes per token. The bytes include JSON escapes. */
const BYTES_PER_TOKEN_MAX = 32;
const ENDS: readonly unknown[] = ['message_stop', 'response.completed', 'response.incomplete'];
const FAILURES: readonly unknown[] = ['error', 'response.failed'];
const PREFACE: readonly unknown[] = [
  'message_start',
  'ping',
  'response.created',
  'response.queued',
  'response.in_progress',
  'keepalive',
];
const WORDS = ['text', 'thinking', 'partial_json'] as const;

type Json = Readonly<Record<string, unknown>>;

export type FollowedStream = Pick<
  StreamAccount,
  'usage' | 'done' | 'finished' | 'begun' | 'pendingBytes' | 'estimatedTokens' | 'push' | 'end'
>;

/** Parses a stream of the Responses or Messages API: event boundaries, usage and end. */
export class NativeAccount implements FollowedStream {
  usage: TokenUsage | null = null;
  done = false;
  begun = false;
  #begunAt = -1;
  #marks: EventMark[] = [];
  /** Usage reported so far. Later events override fields of earlier events. */
  #usageSaid: Json = {};
  #wordBytes = 0;
  #allWordBytes = 0;
  #isOverLimit = false;
  #isCut = false;
  readonly #splitter = new StreamSplitter({
    unit: 'event',
    partBytesMax: EVENT_BYTES_MAX,
    onPart: (part) => this.#read(part),
  });

  /** @param limitTokens token limit; once the stream has certainly exceeded it, the next event is marked `limit` */
  constructor(
    private readonly api: TranslatedApi,
    private readonly limitTokens: number,
  ) {}

  get finished(): boolean {
    return this.done;
  }

  get pendingBytes(): number {
    return this.#splitter.pendingBytes;
  }

  get estimatedTokens(): number {
    return estimateTokens(this.#wordBytes);
  }

  push(chunk: Uint8Array): WholeEvents {
    return this.#completed(this.#splitter.push(chunk));
  }

  end(): WholeEvents {
    const { bytes, ...found } = this.#completed(this.#splitter.finish());
    return { bytes: this.#isCut && !this.done ? bytes.subarray(bytes.length) : bytes, ...found };
  }

  #completed(bytes: Uint8Array): WholeEvents {
    const [marks, begunAt] = [this.#marks, this.#begunAt];
    this.#marks = [];
    this.#begunAt = -1;
    return { bytes, marks, begunAt };
  }

  #read({ bytes, start, end, isWhole }: StreamPart): void {
    const json = parsedRecord(
      dataOf(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')) ?? '',
    );
    this.#isCut = !isWhole && json !== null;
    if (json === null || this.#isCut) return;
    const { type } = json;
    if (FAILURES.includes(type)) this.#marks.push({ kind: 'error', start, end });
    else if (ENDS.includes(type)) {
      this.done = true;
      this.#marks.push({ kind: 'done', start, end });
    }
    this.#countWords(json, start, end);
    this.#countUsage(json);
    if (this.begun || PREFACE.includes(type) || FAILURES.includes(type)) return;
    this.begun = true;
    this.#begunAt = start;
  }

  #countWords({ type, delta }: Json, start: number, end: number): void {
    const texts =
      typeof delta === 'string' && String(type).endsWith('.delta')
        ? [delta]
        : WORDS.map((name) => recordOf(delta)[name]);
    const words = texts.reduce<number>(
      (sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0),
      0,
    );
    if (words > 0 && !this.#isOverLimit && this.#allWordBytes > this.limitTokens * BYTES_PER_TOKEN_MAX) {
      this.#isOverLimit = true;
      this.#marks.push({ kind: 'limit', start, end });
    }
    this.#wordBytes += words;
    this.#allWordBytes += words;
  }

  #countUsage({ type, message, usage, response }: Json): void {
    const said = type === 'message_start' ? recordOf(message)['usage'] : (recordOf(response)['usage'] ?? usage);
    if (said == null) return;
    const told = Object.fromEntries(
      Object.entries(recordOf(said)).filter(
        ([name, value]) => value != null && !(value === 0 && name !== 'output_tokens'),
      ),
    );
    this.#usageSaid = { ...this.#usageSaid, ...told };
    const counted = readNativeUsage(this.api, this.#usageSaid);
    if (counted === null) return;
    this.usage = counted;
    // Reported usage replaces the estimate, except in `message_start`, which precedes the output.
    if (type !== 'message_start' && counted.completionTokens > 0) this.#wordBytes = 0;
  }
}

const ERROR_STATUS = 502;

/** Parses a whole answer of the Responses or Messages API. */
export function readNativeAnswer(answer: UpstreamAnswer): WholeAnswer {
  const { status, headers, body } = answer;
  if (!isSuccess(status)) return { kind: 'refusal', answer };
  const json = parsedRecord(body.toString('utf8'));
  if (json === null) return { kind: 'unreadable' };
  const error = errorOf(json);
  if (error !== null)
    return { kind: 'refusal', answer: { status: statusOfError(error) ?? ERROR_STATUS, headers, body } };
  return Array.isArray(json['output']) || Array.isArray(json['content'])
    ? { kind: 'completion', json, body }
    : { kind: 'unreadable' };
}

/** Returns the tokens of a whole answer: the server's count, or an estimate from bytes. */
export function nativeUsageOf(
  { usage, output, content }: Readonly<Record<string, unknown>>,
  { native, body, budget }: CheckedChat,
): TokenUsage {
  const told = readNativeUsage(native?.api ?? 'responses', usage);
  const bytes = Buffer.byteLength(JSON.stringify(output ?? content ?? ''));
  if (told !== null && !isMiscounted(told, true)) return told;
  return {
    promptTokens: told?.promptTokens || estimatePromptTokens(body.request),
    completionTokens: told?.completionTokens || Math.min(answerTokensMax(budget), Math.max(1, estimateTokens(bytes))),
  };
}
