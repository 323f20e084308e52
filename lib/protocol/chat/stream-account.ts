import type { MessageScheme } from '../e2ee/request-check';
import { dataStartOf } from '../event-stream/event-stream-reader';
import { type StreamPart, StreamSplitter } from '../event-stream/stream-splitter';
import { parsedRecord, recordOf } from '../json-record';
import { readAnswerParts } from './answer-parts';
import { chatDataOf } from './event-data';
import { type EventData, type EventMark, markOf, type SeenInEvent } from './event-mark';
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
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
/** An event that does not end. A picture in an event may take this much. */
const EVENT_BYTES_MAX = 32 * 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** What the keys stand for, by their last letter: a look at one byte rules nearly all others out. */
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

/** What encryption adds to a content: public key, nonce, tag. */
const CIPHER_OVERHEAD_BYTES: Readonly<Record<MessageScheme, number>> = { ecdsa: 65 + 12 + 16, ed25519: 32 + 24 + 16 };

/** Most bytes per token on average, in scripts that JSON escapes. No tokenizer exceeds it. */
const BYTES_PER_TOKEN_MAX = 32;
/** Events beyond the limit that still pass: some servers repeat a word in their last one. */
const SPARE_TOKENS = 8;

const NO_MARKS: readonly EventMark[] = [];

/** The events that some bytes completed. */
export interface WholeEvents {
  /** All of them, each with its blank line, as they came; empty where there is none. */
  bytes: Uint8Array;
  /** Those among them that are more than content, in their order. */
  marks: readonly EventMark[];
  /** Where the event is with which the answer began; -1 where it is not among them. */
  begunAt: number;
}

/**
 * Follows an OpenAI-style event stream as its bytes go by: which events are whole, what they say of usage, and how
 * much was produced where nothing is said. Only events that may be more than content are parsed.
 */
export class StreamAccount {
  /** As the upstream last reported it; null until then. */
  usage: TokenUsage | null = null;
  /** Whether `[DONE]` came by. */
  done = false;
  /** Whether all choices said why they ended: what comes after that is not missed. */
  finished = false;
  /** Whether there was content, a call of a tool or a reason to end: before that nothing was answered. */
  begun = false;
  #begunAt = -1;
  #producedBytes = 0;
  #producedEvents = 0;
  /** Of the whole stream, whatever was reported. */
  readonly #all = { bytes: 0, events: 0 };
  #isOverLimit = false;
  #marks: EventMark[] | null = null;
  /** Whether the end cut an event short. */
  #isCut = false;
  readonly #splitter = new StreamSplitter({
    unit: 'event',
    partBytesMax: EVENT_BYTES_MAX,
    onPart: (part) => this.#readEvent(part),
  });
  readonly #encrypted: MessageScheme | null;
  readonly #limitTokens: number;
  readonly #completions: number;
  /** Choices that said why they ended, where there are several. */
  readonly #ended = new Set<unknown>();
  /** Bytes of thoughts in an event by the two names that servers use, some of them both for the same ones. */
  readonly #thoughts = { thoughts: 0, sameThoughts: 0 };
  /** Where the first escape is of the string that was read last; below 0 where it has none. */
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
   * @param encrypted how contents are ciphertext in hex (specification, "E2EE calls"); null where they are not.
   * @param limitTokens the first event after a stream has surely produced more gets a mark; unbounded unless given
   * @param completions choices that were asked for
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

  /**
   * Takes the next bytes.
   * @throws {PartTooLong}
   */
  push(chunk: Uint8Array): WholeEvents {
    return this.#completed(this.#splitter.push(chunk));
  }

  /** What came after the last whole event. An event that the end cuts short counts, and is left out. */
  end(): WholeEvents {
    const { bytes, ...found } = this.#completed(this.#splitter.finish());
    return { bytes: this.#isCut && !this.done ? bytes.subarray(bytes.length) : bytes, ...found };
  }

  /** Bytes of an event that is not whole yet. */
  get pendingBytes(): number {
    return this.#splitter.pendingBytes;
  }

  /**
   * Completion tokens beyond those that were reported, or all where nobody counted: a quarter of the bytes produced,
   * and one for each chunk at least.
   */
  get estimatedTokens(): number {
    return Math.max(this.#producedEvents, estimateTokens(this.#wordBytes(this.#producedBytes, this.#producedEvents)));
  }

  /** Bytes of words. In hex, each content has a key, a nonce and a tag. */
  #wordBytes(bytes: number, events: number): number {
    return this.#encrypted ? Math.max(0, bytes / 2 - events * CIPHER_OVERHEAD_BYTES[this.#encrypted]) : bytes;
  }

  /** Marks the event, which is here, if the stream is beyond its limit before it. */
  #watchLimit(start: number, end: number): void {
    const most = this.#limitTokens + SPARE_TOKENS;
    const { bytes, events } = this.#all;
    // Every event of every stream passes here.
    if (events <= most && bytes <= most * BYTES_PER_TOKEN_MAX) return;
    if (this.#isOverLimit || this.#tokensMin <= most) return;
    this.#isOverLimit = true;
    (this.#marks ??= []).push({ kind: 'limit', start, end });
  }

  /**
   * Tokens that the stream has at least. Most servers send one in an event, some a letter or a sentence: events count
   * where the bytes come to as much, and bytes by themselves as those of the longest tokens.
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
    if (from >= 0) return this.#readData({ start, end, bytes, from, to: firstLineEnd }, isWhole);
    if (lines === 0) return;
    const text = chatDataOf(decoder.decode(bytes.subarray(start, end)));
    if (text === null) return;
    const data = encoder.encode(text);
    this.#readData({ start, end, bytes: data, from: 0, to: data.length }, isWhole);
  }

  /** Enters what an event says. */
  #readData(data: EventData, isWhole: boolean): void {
    const seen = this.#seen;
    seen.produced = 0;
    seen.usage = seen.error = seen.finish = seen.call = seen.isChunk = seen.isUnusual = false;
    this.#thoughts.thoughts = this.#thoughts.sameThoughts = 0;
    this.#readKeys(data);
    seen.produced += Math.max(this.#thoughts.thoughts, this.#thoughts.sameThoughts);
    const mark = markOf(data, seen);
    this.#isCut = !isWhole && mark?.kind !== 'done';
    // No client reads words that come after the end.
    if (mark?.kind !== 'error' && !this.done) this.#enter(data, seen);
    if (mark === null || this.#isCut) return;
    (this.#marks ??= []).push(mark);
    if (mark.kind === 'usage') this.#count(mark.usage);
    else if (mark.kind === 'done') this.done = true;
  }

  /** Enters what the upstream reports. A report of 0 tokens leaves the words to be estimated, and one that came before it. */
  #count(usage: TokenUsage | null): void {
    if (usage === null || (usage.completionTokens === 0 && this.usage !== null)) return;
    this.usage = usage;
    if (usage.completionTokens === 0) return;
    this.#producedBytes = 0;
    this.#producedEvents = 0;
  }

  /** Enters what a model said in an event. */
  #enter(data: EventData, { produced, finish, call }: SeenInEvent): void {
    const { start, end } = data;
    if (produced > 0) {
      this.#producedBytes += produced;
      this.#producedEvents++;
      this.#watchLimit(start, end);
      this.#all.bytes += produced;
      this.#all.events++;
    }
    if (finish && !this.#isCut) this.finished ||= this.#completions === 1 || this.#endedWith(data) >= this.#completions;
    if (this.begun || !(produced > 0 || finish || call) || this.#isCut) return;
    this.begun = true;
    this.#begunAt = start;
  }

  /** Notes the choices that an event ends. @returns how many have ended */
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

  /** Notes what the key before this colon says. @returns where to go on: past a string that is its value. */
  #readKey(bytes: Uint8Array, from: number, to: number, keyEnd: number, colonAt: number): number {
    const kind = kindOfKey(bytes, from, keyEnd);
    if (kind === null) return colonAt;
    let at = colonAt + 1;
    while (at < to && isWhiteSpace(bytes[at])) at++;
    const isString = at < to && bytes[at] === QUOTE;
    // Many upstreams say null of them in every event.
    if (kind === 'usage') this.#seen.usage ||= bytes[at] === BRACE;
    else if (kind === 'error') this.#seen.error ||= isString || bytes[at] === BRACE || bytes[at] === TRUE;
    else {
      this.#seen.isChunk = true;
      if (kind === 'finish') this.#seen.finish ||= isString && bytes[at + 1] !== QUOTE;
      else if (kind === 'call') this.#seen.call ||= bytes[at] === BRACE || isListWithEntries(bytes, at, to);
      else if (isString) {
        const end = this.#endOfString(bytes, at + 1, to);
        const words = end - at - 1 - (this.#escapeAt < 0 ? 0 : escapeSurplus(bytes, this.#escapeAt, end));
        if (kind === 'produced') this.#seen.produced += words;
        else this.#thoughts[kind] += words;
        return end;
      } else if (bytes[at] === BRACE || bytes[at] === BRACKET) this.#seen.isUnusual = true;
    }
    return colonAt;
  }

  /** Where the JSON string ends whose content starts here: at its quote, or at the end of what is there of it. */
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
  /** With its quotes. */
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

/** What the key that ends here stands for; null for a key that is none of ours. */
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
