import type { MessageScheme } from '../e2ee/request-check';
import { dataStartOf } from '../event-stream/event-stream-reader';
import { type StreamPart, StreamSplitter } from '../event-stream/stream-splitter';
import { dataOfEvent, type EventData, type EventMark, isNamedError, markOf, type SeenInEvent } from './event-mark';
import { estimateTokens, type TokenUsage } from './token-usage';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
/** An event that does not end: no upstream sends one so long. */
const EVENT_BYTES_MAX = 1024 * 1024;

const encoder = new TextEncoder();
/** What the keys stand for, by their last letter: a look at one byte rules nearly all others out. */
const KEYS_BY_LAST_LETTER = keysByLastLetter({
  produced: ['content', 'reasoning_content', 'reasoning', 'arguments', 'refusal'],
  usage: ['usage'],
  error: ['error'],
  finish: ['finish_reason'],
});

type KeyKind = 'produced' | 'usage' | 'error' | 'finish';

/** What encryption adds to a content: public key, nonce, tag. */
const CIPHER_OVERHEAD_BYTES: Readonly<Record<MessageScheme, number>> = { ecdsa: 65 + 12 + 16, ed25519: 32 + 24 + 16 };

const NO_MARKS: readonly EventMark[] = [];

/** The events that some bytes completed. */
export interface WholeEvents {
  /** All of them, each with its blank line, as they came; empty where there is none. */
  bytes: Uint8Array;
  /** Those among them that are more than content, in their order. */
  marks: readonly EventMark[];
}

/**
 * Follows an OpenAI-style event stream as its bytes go by: which events are whole, what they say of usage, and how
 * much was produced where nothing is said. Only events that speak of usage are parsed.
 */
export class StreamAccount {
  /** As the upstream last reported it; null until then. */
  usage: TokenUsage | null = null;
  /** Whether `[DONE]` came by. */
  done = false;
  /** Whether a choice said why it ended: what comes after that is not missed. */
  finished = false;
  #producedBytes = 0;
  #producedEvents = 0;
  #marks: EventMark[] | null = null;
  readonly #splitter = new StreamSplitter({ unit: 'event', partBytesMax: EVENT_BYTES_MAX, onPart: (part) => this.#readEvent(part) });
  readonly #encrypted: MessageScheme | null;
  readonly #seen: SeenInEvent = { produced: 0, usage: false, error: false, finish: false };

  /** @param encrypted how contents are ciphertext in hex (specification, "E2EE calls"); null where they are not. */
  constructor({ encrypted }: { encrypted: MessageScheme | null } = { encrypted: null }) {
    this.#encrypted = encrypted;
  }

  /**
   * Takes the next bytes.
   * @throws {PartTooLong}
   */
  push(chunk: Uint8Array): WholeEvents {
    return this.#completed(this.#splitter.push(chunk));
  }

  /** What came after the last whole event. */
  end(): WholeEvents {
    return this.#completed(this.#splitter.finish());
  }

  /** Whether anything was produced. */
  get hasProduced(): boolean {
    return this.usage !== null || this.#producedEvents > 0;
  }

  /**
   * Completion tokens beyond those that were reported, or all where nobody counted: a quarter of the bytes produced,
   * and one for each chunk at least.
   */
  get estimatedTokens(): number {
    // In hex, each with a key, a nonce and a tag.
    const bytes = this.#encrypted ? Math.max(0, this.#producedBytes / 2 - this.#producedEvents * CIPHER_OVERHEAD_BYTES[this.#encrypted]) : this.#producedBytes;
    return Math.max(this.#producedEvents, estimateTokens(bytes));
  }

  #completed(bytes: Uint8Array): WholeEvents {
    const marks = this.#marks ?? NO_MARKS;
    this.#marks = null;
    return { bytes, marks };
  }

  #readEvent(part: StreamPart): void {
    const { bytes, start, end, lines, firstLineEnd } = part;
    const from = dataStartOf(part);
    if (from >= 0) return this.#readData({ start, end, bytes, from, to: firstLineEnd, isNamedError: false });
    if (lines === 0) return;
    const event = bytes.subarray(start, end);
    const data = encoder.encode(dataOfEvent(event));
    this.#readData({ start, end, bytes: data, from: 0, to: data.length, isNamedError: isNamedError(event) });
  }

  /** Enters what an event says. */
  #readData(data: EventData): void {
    const seen = this.#seen;
    seen.produced = 0;
    seen.usage = seen.error = seen.finish = false;
    this.#readKeys(data);
    this.finished ||= seen.finish;
    if (seen.produced > 0) {
      this.#producedBytes += seen.produced;
      this.#producedEvents++;
    }
    const mark = markOf(data, seen);
    if (mark === null) return;
    (this.#marks ??= []).push(mark);
    if (mark.kind === 'usage') {
      this.usage = mark.usage;
      this.#producedBytes = 0;
      this.#producedEvents = 0;
    } else if (mark.kind === 'done') this.done = true;
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
    else if (kind === 'error') this.#seen.error ||= isString || bytes[at] === BRACE;
    else if (kind === 'finish') this.#seen.finish ||= isString;
    else if (isString) {
      const end = endOfString(bytes, at + 1, to);
      this.#seen.produced += end - at - 1;
      return end;
    }
    return colonAt;
  }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR;
}

/** Where the JSON string ends whose content starts here: at its quote, or at the end of what is there of it. */
function endOfString(bytes: Uint8Array, start: number, to: number): number {
  let at = start;
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, to);
}

interface Key {
  kind: KeyKind;
  /** With its quotes. */
  bytes: Uint8Array;
}

function keysByLastLetter(names: Readonly<Record<KeyKind, readonly string[]>>): readonly (readonly Key[] | undefined)[] {
  const table: Key[][] = [];
  for (const [kind, keys] of Object.entries(names) as [KeyKind, readonly string[]][]) {
    for (const name of keys) (table[name.charCodeAt(name.length - 1)] ??= []).push({ kind, bytes: encoder.encode(`"${name}"`) });
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
