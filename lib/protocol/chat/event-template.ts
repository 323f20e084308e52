const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LF = 0x0a;
const COMMA = 0x2c;
const BRACE_END = 0x7d;
/** Longest text that the template handles. For longer texts, the general parser is hardly slower. */
const TEXT_BYTES_MAX = 1_024;
const FRAME_BYTES_MAX = 4_096;
/** Number of consecutive mismatches after which the template gives up. */
const MISSES_MAX = 16;

const EMPTY = new Uint8Array();

/**
 * Recognizes events of a chat stream that differ from the previous event only in their text. The caller then needs to
 * count only the text.
 */
export class EventTemplate {
  #before: Uint8Array = EMPTY;
  #after: Uint8Array = EMPTY;
  #misses = 0;

  /**
   * Remembers the bytes around an event's text. The event, from `start` to `end`, must be one data line without other
   * text that the caller counts. `from` is the offset of the text's first byte, `to` the offset of the closing quote.
   */
  learn(bytes: Uint8Array, { start, end }: { start: number; end: number }, from: number, to: number): void {
    this.#before = this.#after = EMPTY;
    if (++this.#misses > MISSES_MAX || end - start - (to - from) > FRAME_BYTES_MAX) return;
    // Skips a member's name (before a colon), and an event that ends with CR, which an LF may follow.
    const next = bytes[to + 1];
    if (bytes[to] !== QUOTE || (next !== COMMA && next !== BRACE_END) || bytes[end - 1] !== LF) return;
    this.#before = bytes.slice(start, from);
    this.#after = bytes.slice(to, end);
  }

  /**
   * @returns number of the text's bytes, if the chunk is one event with the remembered bytes and a text without
   * escapes; else 0
   */
  textBytes(chunk: Uint8Array): number {
    const before = this.#before;
    const after = this.#after;
    const { length } = before;
    const end = chunk.length - after.length;
    if (length === 0 || end <= length || end - length > TEXT_BYTES_MAX) return 0;
    for (let i = 0; i < length; i++) if (chunk[i] !== before[i]) return 0;
    for (let i = 0; i < after.length; i++) if (chunk[end + i] !== after[i]) return 0;
    for (let i = length; i < end; i++) {
      const byte = chunk[i] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) return 0;
    }
    this.#misses = 0;
    return end - length;
  }
}
