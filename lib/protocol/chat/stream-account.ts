import type { MessageScheme } from '../e2ee/request-check';
import { dataOf, dataStartOf } from '../event-stream/event-stream-reader';
import { type StreamPart, StreamSplitter } from '../event-stream/stream-splitter';
import { parsedRecord, recordOf } from '../json-record';
import { readAnswerParts } from './answer-parts';
import { chatDataOf } from './event-data';
import { type EventData, type EventMark, markOf, type SeenInEvent } from './event-mark';
import { EventTemplate } from './event-template';
import { escapeSurplus } from './json-escapes';
import { estimateTokens, type TokenUsage } from './token-usage';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const TRUE = 't'.charCodeAt(0);
const NULL = 'n'.charCodeAt(0);
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
/** Maximum size of an event in bytes. An event can contain an image. */
const EVENT_BYTES_MAX = 32 * 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** JSON keys to recognize, grouped by last letter, because the last byte rules out almost all other keys. */
const KEYS_BY_LAST_LETTER = keysByLastLetter({
  produced: ['content', 'arguments', 'refusal'],
  thoughts: ['reasoning_content'],
  sameThoughts: ['reasoning'],
  usage: ['usage'],
  error: ['error'],
  finish: ['finish_reason'],
  call: ['tool_calls', 'function_call'],
});

type KeyKind = 'produced' | 'thoughts' | 'sameThoughts' | 'usage' | 'error' | 'finish' | 'call';

/** Number of bytes that encryption adds to each event: public key, nonce and tag. */
const CIPHER_OVERHEAD_BYTES: Readonly<Record<MessageScheme, number>> = { ecdsa: 65 + 12 + 16, ed25519: 32 + 24 + 16 };

/** Upper bound of the average bytes per token, even for writing systems that JSON escapes. */
const BYTES_PER_TOKEN_MAX = 32;
/** Number of tokens tolerated beyond the limit, because some servers repeat a word in their last event. */
const SPARE_TOKENS = 8;

const NO_MARKS: readonly EventMark[] = [];

export interface WholeEvents {
  /** All completed events with their blank lines, byte for byte. */
  bytes: Uint8Array;
  /** Events that are not plain content, in order. */
  marks: readonly EventMark[];
  /** Offset of the event that began the answer; -1 if that event is not in `bytes`. */
  begunAt: number;
}

/**
 * Follows an OpenAI-style event stream: finds whole events, and reads or estimates the tokens. Parses an
 * event only if it may carry something besides content, such as usage.
 */
export class StreamAccount {
  usage: TokenUsage | null = null;
  done = false;
  /** True once all choices have a finish reason. A stream that ends earlier is incomplete. */
  finished = false;
  /** True after the first content, tool call or finish reason. */
  begun = false;
  #begunAt = -1;
  #producedBytes = 0;
  #producedEvents = 0;
  /** Totals of the whole stream. Reported usage does not reset them. */
  readonly #all = { bytes: 0, events: 0 };
  #isOverLimit = false;
  #marks: EventMark[] | null = null;
  #isCut = false;
  readonly #splitter = new StreamSplitter({
    unit: 'event',
    partBytesMax: EVENT_BYTES_MAX,
    onPart: (part) => this.#readEvent(part),
  });
  readonly #encrypted: MessageScheme | null;
  readonly #limitTokens: number;
  readonly #completions: number;
  /** Indices of choices with a finish reason, if there are several choices. */
  readonly #ended = new Set<unknown>();
  /** Number of bytes of reasoning in an event, by member name. Some servers send the same text under two names. */
  readonly #thoughts = { thoughts: 0, sameThoughts: 0 };
  readonly #template = new EventTemplate();
  /** Number of nonempty texts in an event, and the range of the last text. */
  readonly #texts = { count: 0, from: 0, to: 0 };
  /** Offset of the first escape in the last string; -1 without an escape. */
  #escapeAt = -1;
  readonly #seen: SeenInEvent = {
    produced: 0,
    usage: false,
    error: false,
    finish: false,
    call: false,
    isChunk: false,
    isUnusual: false,
  };

  /**
   * @param encrypted scheme of encrypted texts, which are hex (specification, "E2EE calls"); null if not encrypted
   * @param limitTokens token limit. Once the stream certainly exceeds this limit, the next event gets a mark
   * @param completions number of requested choices
   */
  constructor(
    {
      encrypted,
      limitTokens = Infinity,
      completions = 1,
    }: { encrypted: MessageScheme | null; limitTokens?: number; completions?: number } = { encrypted: null },
  ) {
    this.#completions = completions;
    this.#encrypted = encrypted;
    this.#limitTokens = limitTokens;
  }

  /** @throws {PartTooLong} */
  push(chunk: Uint8Array): WholeEvents {
    const textBytes = this.#splitter.isAtStart && !this.done ? this.#template.textBytes(chunk) : 0;
    if (textBytes > 0) {
      this.#isCut = false;
      this.#produce(textBytes, 0, chunk.length);
      return this.#completed(chunk);
    }
    return this.#completed(this.#splitter.push(chunk));
  }

  /** Returns the remaining events. Counts the tokens of a truncated event, but drops its bytes. */
  end(): WholeEvents {
    const { bytes, ...found } = this.#completed(this.#splitter.finish());
    return { bytes: this.#isCut && !this.done ? bytes.subarray(bytes.length) : bytes, ...found };
  }

  get pendingBytes(): number {
    return this.#splitter.pendingBytes;
  }

  /**
   * Estimated completion tokens since the last reported usage: a quarter of the bytes, but at least one token per
   * event.
   */
  get estimatedTokens(): number {
    return Math.max(this.#producedEvents, estimateTokens(this.#wordBytes(this.#producedBytes, this.#producedEvents)));
  }

  /**
   * Converts received text bytes to plaintext bytes. Hex doubles the bytes, and encryption adds a key, a nonce and a
   * tag per event.
   */
  #wordBytes(bytes: number, events: number): number {
    return this.#encrypted ? Math.max(0, bytes / 2 - events * CIPHER_OVERHEAD_BYTES[this.#encrypted]) : bytes;
  }

  /** Marks the event from `start` to `end` if the events before it exceeded the token limit. */
  #watchLimit(start: number, end: number): void {
    const most = this.#limitTokens + SPARE_TOKENS;
    const { bytes, events } = this.#all;
    // Hot path: every event of every stream runs this.
    if (events <= most && bytes <= most * BYTES_PER_TOKEN_MAX) return;
    if (this.#isOverLimit || this.#tokensMin <= most) return;
    this.#isOverLimit = true;
    (this.#marks ??= []).push({ kind: 'limit', start, end });
  }

  /**
   * Lower bound of the stream's tokens. An event can be a letter or a sentence, so the number of events proves nothing.
   */
  get #tokensMin(): number {
    const { bytes, events } = this.#all;
    const words = this.#wordBytes(bytes, events);
    return Math.max(Math.min(events, estimateTokens(words)), Math.floor(words / BYTES_PER_TOKEN_MAX));
  }

  #completed(bytes: Uint8Array): WholeEvents {
    const [marks, begunAt] = [this.#marks ?? NO_MARKS, this.#begunAt];
    this.#marks = null;
    this.#begunAt = -1;
    return { bytes, marks, begunAt };
  }

  #readEvent(part: StreamPart): void {
    const { bytes, start, end, lines, firstLineEnd, isWhole } = part;
    const from = dataStartOf(part);
    if (from >= 0) {
      const isText = this.#readData({ start, end, bytes, from, to: firstLineEnd }, isWhole);
      const texts = this.#texts;
      if (isText && texts.count === 1 && bytes[from] === BRACE) this.#template.learn(bytes, part, texts.from, texts.to);
      return;
    }
    if (lines === 0) return;
    const event = decoder.decode(bytes.subarray(start, end));
    const text = chatDataOf(event);
    if (text === null) {
      if (isWhole && dataOf(event) !== null) (this.#marks ??= []).push({ kind: 'odd', start, end });
      return;
    }
    const data = encoder.encode(text);
    this.#readData({ start, end, bytes: data, from: 0, to: data.length }, isWhole);
  }

  /** @returns whether the event has only text */
  #readData(data: EventData, isWhole: boolean): boolean {
    const seen = this.#seen;
    seen.produced = this.#texts.count = 0;
    seen.usage = seen.error = seen.finish = seen.call = seen.isChunk = seen.isUnusual = false;
    this.#thoughts.thoughts = this.#thoughts.sameThoughts = 0;
    this.#readKeys(data);
    seen.produced += Math.max(this.#thoughts.thoughts, this.#thoughts.sameThoughts);
    const mark = markOf(data, seen);
    this.#isCut = !isWhole && mark?.kind !== 'done';
    // Clients ignore content after the end.
    if (mark?.kind !== 'error' && !this.done) this.#enter(data, seen);
    if (this.#isCut) return false;
    if (mark === null) return !seen.usage && !seen.error && !seen.isUnusual && !seen.finish && !seen.call;
    (this.#marks ??= []).push(mark);
    if (mark.kind === 'usage') this.#count(mark.usage);
    else if (mark.kind === 'done') this.done = true;
    return false;
  }

  /** Records reported usage. A report of 0 completion tokens replaces neither an earlier report nor the estimate. */
  #count(usage: TokenUsage | null): void {
    if (usage === null || (usage.completionTokens === 0 && this.usage !== null)) return;
    this.usage = usage;
    if (usage.completionTokens === 0) return;
    this.#producedBytes = 0;
    this.#producedEvents = 0;
  }

  #enter(data: EventData, { produced, finish, call }: SeenInEvent): void {
    const { start, end } = data;
    if (produced > 0) this.#produce(produced, start, end);
    if (finish && !this.#isCut) this.finished ||= this.#completions === 1 || this.#endedWith(data) >= this.#completions;
    if (finish || call) this.#begin(start);
  }

  #produce(bytes: number, start: number, end: number): void {
    this.#producedBytes += bytes;
    this.#producedEvents++;
    this.#watchLimit(start, end);
    this.#all.bytes += bytes;
    this.#all.events++;
    this.#begin(start);
  }

  #begin(start: number): void {
    if (this.begun || this.#isCut) return;
    this.begun = true;
    this.#begunAt = start;
  }

  /** Records the choices that an event finishes. @returns number of all finished choices */
  #endedWith({ bytes, from, to }: EventData): number {
    const choices = parsedRecord(decoder.decode(bytes.subarray(from, to)))?.['choices'];
    for (const choice of Array.isArray(choices) ? choices : [])
      if (readAnswerParts(choice, 'delta').finishReason !== null) this.#ended.add(recordOf(choice)['index'] ?? 0);
    return this.#ended.size;
  }

  #readKeys({ bytes, from, to }: EventData): void {
    for (let at = from; at < to; at++) {
      if (bytes[at] !== COLON) continue;
      let keyEnd = at;
      while (isWhiteSpace(bytes[keyEnd - 1])) keyEnd--;
      if (bytes[keyEnd - 1] === QUOTE) at = this.#readKey(bytes, from, to, keyEnd, at);
    }
  }

  /**
   * Records the value of the JSON key whose colon is at `colonAt`.
   *
   * @returns index after which the scan continues: the colon, or the end of a measured text
   */
  #readKey(bytes: Uint8Array, from: number, to: number, keyEnd: number, colonAt: number): number {
    const kind = kindOfKey(bytes, from, keyEnd);
    if (kind === null) return colonAt;
    let at = colonAt + 1;
    while (at < to && isWhiteSpace(bytes[at])) at++;
    const isString = at < to && bytes[at] === QUOTE;
    // Many upstreams send `usage: null` in every event.
    if (kind === 'usage') this.#seen.usage ||= bytes[at] === BRACE;
    else if (kind === 'error') {
      this.#seen.error ||= isString || bytes[at] === BRACE || bytes[at] === TRUE;
      // The AI SDK treats a chunk with an `error` of null as an error.
      this.#seen.isUnusual ||= bytes[at] === NULL;
    } else {
      this.#seen.isChunk = true;
      if (kind === 'finish') this.#seen.finish ||= isString && bytes[at + 1] !== QUOTE;
      else if (kind === 'call') this.#seen.call ||= bytes[at] === BRACE || isListWithEntries(bytes, at, to);
      else if (isString) {
        const end = this.#endOfString(bytes, at + 1, to);
        const words = end - at - 1 - (this.#escapeAt < 0 ? 0 : escapeSurplus(bytes, this.#escapeAt, end));
        if (words > 0) {
          this.#texts.count++;
          this.#texts.from = at + 1;
          this.#texts.to = end;
        }
        if (kind === 'produced') this.#seen.produced += words;
        else this.#thoughts[kind] += words;
        return end;
      } else if (bytes[at] === BRACE || bytes[at] === BRACKET) this.#seen.isUnusual = true;
    }
    return colonAt;
  }

  #endOfString(bytes: Uint8Array, start: number, to: number): number {
    this.#escapeAt = -1;
    let at = start;
    while (at < to && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH) {
        if (this.#escapeAt < 0) this.#escapeAt = at;
        at += 2;
      } else at++;
    }
    return Math.min(at, to);
  }
}

function isListWithEntries(bytes: Uint8Array, start: number, to: number): boolean {
  if (bytes[start] !== BRACKET) return false;
  let at = start + 1;
  while (at < to && isWhiteSpace(bytes[at])) at++;
  return at < to && bytes[at] !== BRACKET_END;
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR;
}

interface Key {
  kind: KeyKind;
  bytes: Uint8Array;
}

function keysByLastLetter(
  names: Readonly<Record<KeyKind, readonly string[]>>,
): readonly (readonly Key[] | undefined)[] {
  const table: Key[][] = [];
  for (const [kind, keys] of Object.entries(names) as [KeyKind, readonly string[]][]) {
    for (const name of keys)
      (table[name.charCodeAt(name.length - 1)] ??= []).push({ kind, bytes: encoder.encode(`"${name}"`) });
  }
  return table;
}

function kindOfKey(bytes: Uint8Array, start: number, end: number): KeyKind | null {
  const keys = KEYS_BY_LAST_LETTER[bytes[end - 2] ?? 0];
  if (keys === undefined) return null;
  for (const key of keys) if (isBefore(key.bytes, bytes, start, end)) return key.kind;
  return null;
}

function isBefore(part: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const from = end - part.length;
  if (from < start) return false;
  for (let i = part.length - 1; i >= 0; i--) if (bytes[from + i] !== part[i]) return false;
  return true;
}
