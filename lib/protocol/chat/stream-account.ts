import { readUsage, estimateTokens, type TokenUsage } from './token-usage';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** An event that does not end: no upstream sends one so long. */
const EVENT_BYTES_MAX = 1024 * 1024;

const encoder = new TextEncoder();
const USAGE = encoder.encode('"usage":');
const NO_USAGE = encoder.encode('"usage":null');
const CONTENT_KEYS = ['"content":', '"reasoning_content":', '"reasoning":', '"arguments":'].map((key) => encoder.encode(key));
const DONE = encoder.encode('data: [DONE]');

/** What encryption adds to a content: a public key of 65 bytes, a nonce of 12, a tag of 16. */
const CIPHER_OVERHEAD_BYTES = 93;

/** An event stream grew an event beyond every bound. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong';
}

/**
 * Follows an OpenAI-style event stream as its bytes go by: which events are whole, what they say of usage, and how
 * much was produced where nothing is said. It parses only events that speak of usage.
 */
export class StreamAccount {
  /** As the upstream last reported it; null until then. */
  usage: TokenUsage | null = null;
  /** Whether `[DONE]` came by. */
  done = false;
  #producedBytes = 0;
  #producedEvents = 0;
  #rest: Uint8Array = new Uint8Array();
  readonly #encrypted: boolean;

  /** @param encrypted whether contents are ciphertext in hex (specification, "E2EE calls"). */
  constructor({ encrypted } = { encrypted: false }) {
    this.#encrypted = encrypted;
  }

  /**
   * Takes the next bytes. @returns the events that they complete, each with its blank line, in their order.
   * @throws EventTooLong
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const events: Uint8Array[] = [];
    let start = 0;
    for (let end = endOfEvent(bytes, start); end >= 0; end = endOfEvent(bytes, start)) {
      const event = bytes.subarray(start, end);
      this.#look(event);
      events.push(event);
      start = end;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length > EVENT_BYTES_MAX) throw new EventTooLong();
    return events;
  }

  /** What came after the last whole event. */
  end(): Uint8Array {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    if (rest.length > 0) this.#look(rest);
    return rest;
  }

  /** Completion tokens where nobody counted them: a quarter of the bytes produced, and one for each chunk at least. */
  get estimatedTokens(): number {
    // In hex, each with a key, a nonce and a tag.
    const bytes = this.#encrypted ? Math.max(0, this.#producedBytes / 2 - this.#producedEvents * CIPHER_OVERHEAD_BYTES) : this.#producedBytes;
    return Math.max(this.#producedEvents, estimateTokens(bytes));
  }

  #look(event: Uint8Array): void {
    const produced = producedBytes(event);
    this.#producedBytes += produced;
    if (produced > 0) this.#producedEvents++;
    const usageAt = indexOf(event, USAGE, 0);
    if (usageAt >= 0 && !startsWith(event.subarray(usageAt), NO_USAGE)) this.usage = readUsage(usageOf(event)) ?? this.usage;
    else if (startsWith(event, DONE)) this.done = true;
  }
}

/** Whether an event carries usage and no choice: what an upstream adds at the end when it is asked to count. */
export function isUsageEvent(event: Uint8Array): boolean {
  if (indexOf(event, USAGE, 0) < 0) return false;
  const chunk = parseEvent(event);
  const choices = chunk?.['choices'];
  return Array.isArray(choices) && choices.length === 0 && readUsage(chunk?.['usage']) !== null;
}

function usageOf(event: Uint8Array): unknown {
  return parseEvent(event)?.['usage'];
}

function parseEvent(event: Uint8Array): Record<string, unknown> | null {
  const data = new TextDecoder()
    .decode(event)
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Just past the blank line that ends the event; -1 where it has not come. Lines may end with LF or CR LF. */
function endOfEvent(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** Bytes in the strings of an event that are the model's own words. */
function producedBytes(event: Uint8Array): number {
  let sum = 0;
  for (const key of CONTENT_KEYS) {
    for (let at = indexOf(event, key, 0); at >= 0; at = indexOf(event, key, at + key.length)) sum += stringBytes(event, at + key.length);
  }
  return sum;
}

/** The length of the JSON string that starts here, after blanks; 0 where none does. */
function stringBytes(event: Uint8Array, from: number): number {
  let at = from;
  while (event[at] === 0x20) at++;
  if (event[at] !== QUOTE) return 0;
  const start = ++at;
  while (at < event.length && event[at] !== QUOTE) at += event[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, event.length) - start;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Where `part` first stands in `bytes`, from a place on; -1 for nowhere. Its first byte, a quote, is rarer than most. */
function indexOf(bytes: Uint8Array, part: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(part[0] as number, from); at >= 0; at = bytes.indexOf(part[0] as number, at + 1)) {
    let i = 1;
    while (i < part.length && bytes[at + i] === part[i]) i++;
    if (i === part.length) return at;
  }
  return -1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
