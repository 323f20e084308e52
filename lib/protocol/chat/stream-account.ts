import type { MessageScheme } from '../e2ee/request-check';
import { type EventMark, markOf, type SeenInEvent } from './event-mark';
import { estimateTokens, type TokenUsage } from './token-usage';

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

/** An event stream grew an event beyond every bound. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong';
}

/** The events that some bytes completed. */
export interface WholeEvents {
  /** All of them, each with its blank line, as they came; empty where there is none. */
  bytes: Uint8Array;
  /** Those among them that are more than content, in their order. */
  marks: readonly EventMark[];
}

/**
 * Follows an OpenAI-style event stream as its bytes go by: which events are whole, what they say of usage, and how
 * much was produced where nothing is said. Each byte is looked at once; only events that speak of usage are parsed.
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
  #rest: Uint8Array = new Uint8Array();
  readonly #encrypted: MessageScheme | null;
  readonly #seen: SeenInEvent = { produced: 0, usage: false, error: false, finish: false };

  /** @param encrypted how contents are ciphertext in hex (specification, "E2EE calls"); null where they are not. */
  constructor({ encrypted }: { encrypted: MessageScheme | null } = { encrypted: null }) {
    this.#encrypted = encrypted;
  }

  /**
   * Takes the next bytes.
   * @throws EventTooLong
   */
  push(chunk: Uint8Array): WholeEvents {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    let marks: EventMark[] | null = null;
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === COLON) {
        if (bytes[at - 1] === QUOTE) at = this.#readKey(bytes, start, at);
      } else if (byte === LF) {
        const end = endOfBlankLine(bytes, at);
        if (end < 0) continue;
        const mark = this.#finishEvent(bytes, start, end);
        if (mark) (marks ??= []).push(mark);
        start = end;
        at = end - 1;
      }
    }
    this.#forget();
    this.#rest = start === 0 ? bytes : bytes.subarray(start);
    if (this.#rest.length > EVENT_BYTES_MAX) throw new EventTooLong();
    return { bytes: start === 0 ? EMPTY : bytes.subarray(0, start), marks: marks ?? NO_MARKS };
  }

  /** What came after the last whole event. */
  end(): WholeEvents {
    const bytes = this.#rest;
    this.#rest = EMPTY;
    if (bytes.length === 0) return { bytes, marks: NO_MARKS };
    for (let at = 1; at < bytes.length; at++) if (bytes[at] === COLON && bytes[at - 1] === QUOTE) at = this.#readKey(bytes, 0, at);
    const mark = this.#finishEvent(bytes, 0, bytes.length);
    return { bytes, marks: mark ? [mark] : NO_MARKS };
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

  /** Notes what the key before this colon says. @returns where to go on: past a string that is its value. */
  #readKey(bytes: Uint8Array, start: number, colonAt: number): number {
    const kind = kindOfKey(bytes, start, colonAt);
    if (kind === null) return colonAt;
    let at = colonAt + 1;
    while (bytes[at] === SPACE) at++;
    const isString = bytes[at] === QUOTE;
    // Many upstreams say null of them in every event.
    if (kind === 'usage') this.#seen.usage ||= bytes[at] === BRACE;
    else if (kind === 'error') this.#seen.error ||= isString || bytes[at] === BRACE;
    else if (kind === 'finish') this.#seen.finish ||= isString;
    else if (isString) {
      const end = endOfString(bytes, at + 1);
      this.#seen.produced += end - at - 1;
      return end;
    }
    return colonAt;
  }

  /** Enters what was seen in an event that is whole. */
  #finishEvent(bytes: Uint8Array, start: number, end: number): EventMark | null {
    const seen = this.#seen;
    const { produced } = seen;
    this.finished ||= seen.finish;
    if (produced > 0) {
      this.#producedBytes += produced;
      this.#producedEvents++;
    }
    const mark = markOf(bytes, start, end, seen);
    this.#forget();
    if (mark?.kind === 'usage') {
      this.usage = mark.usage;
      this.#producedBytes = 0;
      this.#producedEvents = 0;
    } else if (mark?.kind === 'done') this.done = true;
    return mark;
  }

  #forget(): void {
    const seen = this.#seen;
    seen.produced = 0;
    seen.usage = seen.error = seen.finish = false;
  }
}

const EMPTY = new Uint8Array();

/** Just past the blank line that begins after this LF; -1 where none does. Lines may end with LF or CR LF. */
function endOfBlankLine(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] === LF) return at + 2;
  return bytes[at + 1] === CR && bytes[at + 2] === LF ? at + 3 : -1;
}

/** Where the JSON string ends whose content starts here: at its quote, or at the end of what is there of it. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== LF) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, bytes.length);
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

/** What the key that ends before this colon stands for; null for a key that is none of ours. */
function kindOfKey(bytes: Uint8Array, start: number, colonAt: number): KeyKind | null {
  const keys = KEYS_BY_LAST_LETTER[bytes[colonAt - 2] ?? 0];
  if (keys === undefined) return null;
  for (const key of keys) if (isBefore(key.bytes, bytes, start, colonAt)) return key.kind;
  return null;
}

function isBefore(part: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const from = end - part.length;
  if (from < start) return false;
  for (let i = part.length - 1; i >= 0; i--) if (bytes[from + i] !== part[i]) return false;
  return true;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
